package dev.election.autoconfigure.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.Abdication;
import dev.election.ConditionalOnLeader;
import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.NodeInfo;
import dev.election.NotLeaderException;
import dev.election.Otherwise;
import dev.election.Role;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.store.Candidate;
import dev.election.store.EvictRequest;
import dev.election.store.LeaseStore;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.test.InMemoryLeaseStore;
import dev.election.testing.Excluded;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** Each meter, provoked for real and read back. */
@dev.election.testing.RealTime
class ElectionMetersTest {

    @AutoClose
    private final OperatedApplication application = new OperatedApplication(
            "spring.application.name=shop", "spring.autoconfigure.exclude=" + Excluded.SECURITY);

    @Test
    void a_leader_shows_that_it_leads_and_how_long_its_lease_lasts() {
        lead();
        assertThat(gauge("election.leader")).isEqualTo(1);
        assertThat(gauge("election.lease.remaining"))
                .isPositive()
                .isLessThanOrEqualTo(OperatedApplication.LEASE.toSeconds());
        Nodes.await("a leader is known").until(() -> gauge("election.leaderless") == 0);
        assertThat(counter("election.transitions", "reason", "acquired")).isEqualTo(1);
        assertThat(counter("election.transitions", "reason", "abdicated")).isZero();
        Nodes.await("renewals").until(() -> renewals("renewed") >= 2);
        assertThat(registry()
                        .get("election.renewals")
                        .tag("outcome", "renewed")
                        .timer()
                        .max(java.util.concurrent.TimeUnit.SECONDS))
                .isPositive()
                .isLessThan(OperatedApplication.LEASE.toSeconds());
    }

    @Test
    void a_follower_shows_that_it_does_not_lead_and_has_no_lease() {
        Election leader = application.join("first");
        Nodes.await("a leader").until(leader::isLeader);
        start();
        Nodes.await("this node follows").until(() -> own().leader().isPresent());
        assertThat(gauge("election.leader")).isZero();
        assertThat(gauge("election.lease.remaining")).isNaN();
        Nodes.await("a leader is known").until(() -> gauge("election.leaderless") == 0);
    }

    @Test
    void a_registry_that_fails_makes_no_renewal_fail() {
        MeteredLeaseStore store = new MeteredLeaseStore(
                new InMemoryLeaseStore(System::currentTimeMillis),
                () -> {
                    throw new IllegalStateException("As the test wants it");
                },
                Set.of());
        Candidate unknown = new Candidate("e", "c", new NodeInfo("n", "n:80"));

        RenewReply reply = store.renew(new RenewRequest(
                        unknown, new FencingToken(1), Instant.EPOCH, Instant.EPOCH, Duration.ofSeconds(1)))
                .toCompletableFuture()
                .join();

        assertThat(reply).isInstanceOf(RenewReply.Lost.class);
    }

    @Test
    void the_time_without_a_leader_is_counted_from_its_end() {
        lead();
        own().abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)))
                .toCompletableFuture()
                .join();
        Nodes.await("time passes").until(() -> gauge("election.leaderless") > 0.05);
        assertThat(gauge("election.leader")).isZero();
        Nodes.await("the end is counted").until(() -> counter("election.transitions", "reason", "abdicated") == 1);
    }

    @Test
    void a_store_that_is_away_shows_in_the_renewals_and_in_the_reason() {
        lead();
        application.away(true);
        Nodes.await("failed renewals").until(() -> renewals("no-answer") >= 2);
        Nodes.await("the loss").until(() -> counter("election.transitions", "reason", "store-error") == 1);
        assertThat(gauge("election.leader")).isZero();
    }

    @Test
    void an_eviction_is_counted_as_one() {
        lead();
        FencingToken token = own().leadership().orElseThrow().token();
        Duration cooldown = Duration.ofMinutes(1);
        application
                .bean(LeaseStore.class)
                .eviction()
                .orElseThrow()
                .evict(new EvictRequest(
                        Election.DEFAULT, token, Abdication.toAnyone().coolingDownFor(cooldown)))
                .toCompletableFuture()
                .join();
        Nodes.await("the eviction").until(() -> counter("election.transitions", "reason", "evicted") == 1);
        assertThat(own().role()).isEqualTo(Role.COOLING_DOWN);
        ElectionWatch watch = application.bean(ElectionWatch.class);
        // Each listener is told by itself.
        Nodes.await("the watch")
                .until(() -> watch.of(Election.DEFAULT).lastTransition().to() != Role.LEADER);
        assertThat(watch.of(Election.DEFAULT).lastTransition()).satisfies(last -> {
            assertThat(last.to()).isEqualTo(Role.COOLING_DOWN);
            assertThat(last.reason()).isEqualTo("EVICTED");
        });
        assertThat(counter("election.transitions", "reason", "expired")).isZero();
    }

    @Test
    void guarded_calls_are_counted_by_what_became_of_them() {
        start();
        Jobs jobs = application.bean(Jobs.class);
        Nodes.await("this node leads").until(own()::isLeader);
        jobs.skip();
        jobs.skip();
        assertThat(counter("election.calls", "outcome", "ran")).isEqualTo(2);
        application.bean(Elections.class).stop().toCompletableFuture().join();
        jobs.skip();
        assertThatThrownBy(jobs::fail).isInstanceOf(NotLeaderException.class);
        assertThat(counter("election.calls", "outcome", "ran")).isEqualTo(2);
        assertThat(counter("election.calls", "outcome", "skipped")).isEqualTo(1);
        assertThat(counter("election.calls", "outcome", "rejected")).isEqualTo(1);
    }

    @Test
    void every_meter_carries_the_name_of_the_application() {
        lead();
        Nodes.await("a renewal").until(() -> renewals("renewed") >= 1);
        assertThat(registry().getMeters().stream()
                        .filter(meter -> meter.getId().getName().startsWith("election."))
                        .map(meter -> meter.getId().getTag("application"))
                        .collect(Collectors.toSet()))
                .containsExactly("shop");
    }

    @Test
    void the_health_is_a_meter_too() {
        lead();
        assertThat(registry().get("election.health").gauge().value()).isEqualTo(1);
        application.away(true);
        Nodes.await("health is down")
                .until(() -> registry().get("election.health").gauge().value() == 0);
    }

    @Test
    void nothing_grows_without_bound() {
        lead();
        application.away(true);
        Nodes.await("the loss").until(() -> !own().isLeader());
        application.away(false);
        Nodes.await("leads again").until(own()::isLeader);
        assertThat(registry().getMeters().stream()
                        .map(Meter::getId)
                        .filter(id -> id.getName().startsWith("election."))
                        .flatMap(id -> id.getTags().stream())
                        .map(Tag::getKey)
                        .collect(Collectors.toSet()))
                .isEqualTo(Set.of("application", "election", "reason", "outcome"));
        assertThat(registry().getMeters().stream()
                        .filter(meter -> meter.getId().getName().startsWith("election."))
                        .count())
                .as("meters of one election")
                .isLessThan(20);
    }

    @Test
    void partitions_have_the_series_of_their_group() {
        try (OperatedApplication partitioned = new OperatedApplication(
                "spring.autoconfigure.exclude=" + Excluded.SECURITY, "election.partitions.orders.count=8")) {
            partitioned.start(WebApplicationType.NONE, SimpleMeterRegistry.class);
            MeterRegistry registry = partitioned.bean(MeterRegistry.class);
            Nodes.await("all are led")
                    .until(() -> registry.find("election.partitions.led")
                                            .tag("group", "orders")
                                            .gauge()
                                    != null
                            && registry.get("election.partitions.led").gauge().value() == 8);
            assertThat(registry.get("election.partitions.leaderless").gauge().value())
                    .isZero();
            Nodes.await("all are counted")
                    .until(() -> registry.get("election.transitions")
                                    .tags("election", "orders", "reason", "acquired")
                                    .counter()
                                    .count()
                            == 8);
            Nodes.await("renewals")
                    .until(() -> registry.find("election.renewals")
                                    .tag("election", "orders")
                                    .timer()
                            != null);
            assertThat(registry.getMeters())
                    .extracting(meter -> String.valueOf(meter.getId().getTag("election")))
                    .noneMatch(election -> election.startsWith("orders."));
            assertThat(registry.find("election.leader")
                            .tag("election", "orders")
                            .gauge())
                    .isNull();
            partitioned
                    .bean(Elections.class)
                    .get("orders.3")
                    .abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)))
                    .toCompletableFuture()
                    .join();
            Nodes.await("one is not")
                    .until(() -> registry.get("election.partitions.leaderless")
                                    .gauge()
                                    .value()
                            == 1);
            assertThat(registry.get("election.partitions.led").gauge().value()).isEqualTo(7);
        }
    }

    private void start() {
        application.start(WebApplicationType.NONE, Jobs.class, SimpleMeterRegistry.class);
    }

    private void lead() {
        start();
        Nodes.await("this node leads").until(own()::isLeader);
        // The meters of an election are registered at its first event, by the thread that tells of it.
        Nodes.await("and has said so").until(() -> {
            Counter acquired = registry()
                    .find("election.transitions")
                    .tag("reason", "acquired")
                    .counter();
            return acquired != null && acquired.count() == 1;
        });
    }

    private Election own() {
        return application.bean(Elections.class).get(Election.DEFAULT);
    }

    private MeterRegistry registry() {
        return application.bean(MeterRegistry.class);
    }

    /** As soon as the meters have heard of the election. */
    private double gauge(String name) {
        Nodes.await(name)
                .until(() -> registry().find(name).tag("election", "default").gauge() != null);
        return registry().get(name).tag("election", "default").gauge().value();
    }

    private double counter(String name, String tag, String value) {
        return registry()
                .get(name)
                .tag("election", "default")
                .tag(tag, value)
                .counter()
                .count();
    }

    private long renewals(String outcome) {
        io.micrometer.core.instrument.Timer timer =
                registry().find("election.renewals").tag("outcome", outcome).timer();
        return timer == null ? 0 : timer.count();
    }

    static class Jobs {

        @LeaderOnly
        public void skip() {}

        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        public void fail() {}
    }
}
