package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.Role;
import dev.election.StoreView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TestElectionsTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final TestElections elections = new TestElections();
    private final Election reports = elections.get("reports");
    private final List<LeadershipEvent> heard = new ArrayList<>();

    @Test
    void an_observer_follows_and_is_a_candidate_again_after_a_reset() {
        elections.lead("reports");
        assertThat(reports.setRole(AssignedRole.OBSERVER)).isCompleted();
        assertThat(reports.role()).isEqualTo(Role.OBSERVER);
        elections.lead("reports");
        assertThat(reports.isLeader()).isFalse();
        elections.follow("reports", "other");
        assertThat(reports.leader().orElseThrow().node()).isEqualTo("other");
        elections.reset();
        assertThat(reports.role()).isEqualTo(Role.FOLLOWER);
        elections.lead("reports");
        assertThat(reports.isLeader()).isTrue();
    }

    @Test
    void nobody_leads_until_the_test_says_so() throws InterruptedException {
        assertThat(reports.isLeader()).isFalse();
        assertThat(reports.role()).isEqualTo(Role.FOLLOWER);
        assertThat(reports.leader()).isEmpty();
        assertThat(reports.leadership()).isEmpty();
        assertThat(reports.awaitResult(Duration.ZERO)).isFalse();
        assertThat(reports.runIfLeader(() -> {})).isFalse();
    }

    @Test
    void a_leader_knows_its_leadership_and_runs_work() {
        elections.lead("reports");

        assertThat(reports.isLeader()).isTrue();
        assertThat(reports.role()).isEqualTo(Role.LEADER);
        assertThat(reports.leader().orElseThrow().node()).isEqualTo(elections.node());
        assertThat(reports.leadership().orElseThrow().remaining()).isPositive();
        assertThat(elections.get("cleanup").isLeader()).isFalse();
        List<FencingToken> current = new ArrayList<>();
        assertThat(reports.runIfLeader(() -> {
                    FencingToken.current().ifPresent(current::add);
                    assertThat(reports.runningWork()).isEqualTo(1);
                }))
                .isTrue();
        assertThat(current).containsExactly(reports.leadership().orElseThrow().token());
        assertThat(FencingToken.current()).isEmpty();
        assertThat(reports.runningWork()).isZero();
    }

    @Test
    void every_grant_has_a_higher_token_even_after_a_reset() {
        List<FencingToken> tokens = new ArrayList<>();
        for (int round = 0; round < 2; round++) {
            elections.lead("reports");
            tokens.add(reports.leadership().orElseThrow().token());
            elections.lead("reports");
            tokens.add(reports.leadership().orElseThrow().token());
            elections.follow("reports", "other");
            tokens.add(reports.leader().orElseThrow().token());
            elections.reset();
        }
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_follower_knows_whom_it_follows() throws InterruptedException {
        elections.follow("reports", "other-node");

        assertThat(reports.isLeader()).isFalse();
        assertThat(reports.leader().orElseThrow().node()).isEqualTo("other-node");
        assertThat(reports.awaitResult(Duration.ZERO)).isTrue();

        elections.follow("reports");

        assertThat(reports.leader()).isEmpty();
    }

    @Test
    void a_node_cannot_follow_itself() {
        assertThatThrownBy(() -> elections.follow("reports", elections.node()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_name_that_would_be_refused_in_earnest_is_refused() {
        assertThatThrownBy(() -> elections.lead("no spaces")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> elections.follow("reports", "no spaces")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new TestElections("no spaces")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void listeners_have_heard_everything_in_order_when_the_command_returns() {
        reports.addListener(new Recorder());

        elections.lead("reports");
        assertThat(kinds()).containsExactly("LeaderChanged", "ElectionCompleted", "Acquired");
        heard.clear();

        elections.follow("reports", "other");
        assertThat(kinds())
                .containsExactly("Lost", "LeaderChanged", "ElectionStarted", "LeaderChanged", "ElectionCompleted");
        assertThat(lost().reason()).isEqualTo(LossReason.SUPERSEDED);
        heard.clear();

        elections.follow("reports");
        assertThat(kinds()).containsExactly("LeaderChanged", "ElectionStarted");
        heard.clear();

        elections.lead("reports");
        elections.lead("reports");
        assertThat(kinds())
                .containsExactly(
                        "LeaderChanged",
                        "ElectionCompleted",
                        "Acquired",
                        "Lost",
                        "LeaderChanged",
                        "ElectionStarted",
                        "LeaderChanged",
                        "ElectionCompleted",
                        "Acquired");
        assertThat(lost().reason()).isEqualTo(LossReason.EXPIRED);
    }

    @Test
    void what_is_said_twice_is_no_news_unless_somebody_leads() {
        reports.addListener(new Recorder());

        elections.follow("reports");
        elections.resign("reports");
        elections.reset();
        assertThat(heard).isEmpty();

        elections.follow("reports", "other");
        heard.clear();
        elections.follow("reports", "other");
        assertThat(kinds()).containsExactly("LeaderChanged", "ElectionStarted", "LeaderChanged", "ElectionCompleted");
    }

    @Test
    void who_listens_to_all_hears_of_elections_joined_later_and_who_comes_late_hears_of_leadership_first() {
        elections.addListener(new Recorder());
        elections.lead("joined-later");
        assertThat(heard).extracting(LeadershipEvent::election).containsOnly("joined-later");
        heard.clear();

        elections.get("joined-later").addListener(new Recorder());
        assertThat(kinds()).containsExactly("Acquired");
    }

    @Test
    void a_removed_listener_hears_nothing() {
        Recorder recorder = new Recorder();
        reports.addListener(recorder);
        reports.removeListener(recorder);
        elections.lead("reports");
        assertThat(heard).isEmpty();
    }

    @Test
    void a_listener_that_fails_keeps_nobody_from_hearing() {
        reports.addListener(new LeadershipListener() {
            @Override
            public void onEvent(LeadershipEvent event) {
                throw new IllegalStateException("on purpose");
            }
        });
        reports.addListener(new Recorder());
        elections.lead("reports");
        assertThat(kinds()).contains("Acquired");
    }

    @Test
    void what_a_listener_decides_is_heard_after_what_it_heard() {
        reports.addListener(new LeadershipListener() {
            @Override
            public void onAcquired(LeadershipEvent.Acquired event) {
                elections.follow("reports");
            }
        });
        reports.addListener(new Recorder());
        elections.lead("reports");
        assertThat(kinds()).endsWith("Acquired", "Lost", "LeaderChanged", "ElectionStarted");
    }

    @Test
    void a_listener_finds_what_it_has_decided_and_may_wait_for_it() {
        List<Object> found = new ArrayList<>();
        reports.addListener(new LeadershipListener() {
            @Override
            public void onAcquired(LeadershipEvent.Acquired event) {
                found.add(reports.lookUp().toCompletableFuture().join().leader());
                found.add(reports.abdicate().toCompletableFuture().join());
                elections.follow("reports", "other");
                found.add(reports.leader().orElseThrow().node());
            }
        });
        reports.addListener(new Recorder());

        elections.lead("reports");

        assertThat(found.get(0)).asString().contains(elections.node());
        assertThat(found.subList(1, 3)).containsExactly(AbdicationOutcome.RELEASED, "other");
        assertThat(kinds()).startsWith("LeaderChanged", "ElectionCompleted", "Acquired", "Resigning", "Lost");
    }

    @Test
    void a_listener_may_wait_for_work_on_another_thread_when_the_node_resigns() throws Exception {
        elections.lead("reports");
        LeaderWork work = reports.beginWork().orElseThrow();
        List<Throwable> failures = new ArrayList<>();
        reports.addListener(new LeadershipListener() {
            @Override
            public void onResigning(LeadershipEvent.Resigning event) {
                try {
                    CompletableFuture.runAsync(work::close).get(30, TimeUnit.SECONDS);
                } catch (Exception failure) {
                    failures.add(failure);
                }
            }
        });
        reports.addListener(new Recorder());
        heard.clear();

        elections.resign("reports");

        assertThat(failures).isEmpty();
        assertThat(kinds()).containsExactly("Resigning", "Lost", "LeaderChanged", "ElectionStarted");
    }

    @Test
    void a_follower_has_nothing_to_abdicate() {
        assertThat(reports.abdicate()).isCompletedWithValue(AbdicationOutcome.NOT_LEADER);
    }

    @Test
    void an_abdication_without_running_work_is_over_at_once() {
        elections.lead("reports");
        assertThat(reports.abdicate()).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(reports.role()).isEqualTo(Role.FOLLOWER);
    }

    @Test
    void an_abdication_waits_for_running_work_and_admits_none() {
        elections.lead("reports");
        LeaderWork work = reports.beginWork().orElseThrow();
        reports.addListener(new Recorder());
        heard.clear();

        CompletableFuture<AbdicationOutcome> left = reports.abdicate().toCompletableFuture();

        assertThat(left).isNotDone();
        assertThat(reports.isLeader()).isTrue();
        assertThat(work.isCurrent()).isTrue();
        assertThat(reports.beginWork()).isEmpty();
        assertThat(kinds()).containsExactly("Resigning");

        work.close();
        work.close();

        assertThat(left).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(work.isCurrent()).isFalse();
        assertThat(kinds()).containsExactly("Resigning", "Lost", "LeaderChanged", "ElectionStarted");
        assertThat(lost().reason()).isEqualTo(LossReason.ABDICATED);
    }

    @Test
    void a_part_of_running_work_is_admitted_while_the_node_resigns_and_waited_for() {
        elections.lead("reports");
        LeaderWork work = reports.beginWork().orElseThrow();
        LeaderWork other = reports.beginWork().orElseThrow();
        CompletableFuture<AbdicationOutcome> left = reports.abdicate().toCompletableFuture();
        LeaderWork part;
        try (LeaderWork.Scope scope = work.onThisThread()) {
            part = reports.beginWork().orElseThrow();
            work.close();
            assertThat(reports.beginWork()).isEmpty();
        }
        assertThat(part.token()).isEqualTo(other.token());
        assertThat(part.election()).isSameAs(reports);
        other.close();
        assertThat(left).isNotDone();
        part.close();
        assertThat(left).isCompletedWithValue(AbdicationOutcome.RELEASED);
    }

    @Test
    void no_part_is_admitted_when_leadership_is_lost_nor_of_another_election() {
        elections.lead("reports");
        elections.lead("other");
        LeaderWork work = reports.beginWork().orElseThrow();
        LeaderWork kept = elections.get("other").beginWork().orElseThrow();
        elections.resign("other");
        try (LeaderWork.Scope scope = work.onThisThread()) {
            assertThat(elections.get("other").beginWork()).isEmpty();
            elections.resign("reports");
            assertThat(reports.beginWork()).isPresent();
            elections.follow("reports");
            assertThat(reports.beginWork()).isEmpty();
            elections.lead("reports");
            elections.resign("reports");
            assertThat(reports.beginWork()).isEmpty();
        }
        kept.close();
    }

    @Test
    void an_abdication_that_may_not_drain_does_not_wait() {
        elections.lead("reports");
        LeaderWork work = reports.beginWork().orElseThrow();
        assertThat(reports.abdicate(Abdication.toAnyone().drainingFor(Duration.ZERO)))
                .isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(reports.runningWork()).isEqualTo(1);
        work.close();
        assertThat(reports.runningWork()).isZero();
    }

    @Test
    void whoever_has_abdicated_for_the_sake_of_another_can_lead_again_at_once() {
        elections.lead("reports");
        assertThat(reports.abdicate(Abdication.to("other").coolingDownFor(Duration.ofHours(1))))
                .isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(reports.role()).isEqualTo(Role.FOLLOWER);
        elections.lead("reports");
        assertThat(reports.isLeader()).isTrue();
    }

    @Test
    void an_abdication_is_overtaken_by_a_loss() {
        elections.lead("reports");
        LeaderWork work = reports.beginWork().orElseThrow();
        CompletableFuture<AbdicationOutcome> left = reports.abdicate().toCompletableFuture();

        elections.follow("reports");

        assertThat(left).isCompletedWithValue(AbdicationOutcome.ENDED_UNCONFIRMED);
        work.close();
        assertThat(reports.role()).isEqualTo(Role.FOLLOWER);
    }

    @Test
    void a_reset_forgets_running_work_and_tells_those_that_hold_leadership() {
        elections.lead("reports");
        LeaderWork work = reports.beginWork().orElseThrow();
        reports.addListener(new Recorder());
        heard.clear();

        elections.reset();

        assertThat(kinds()).containsExactly("Lost", "LeaderChanged", "ElectionStarted");
        assertThat(reports.runningWork()).isZero();
        elections.lead("reports");
        LeaderWork next = reports.beginWork().orElseThrow();
        work.close();
        assertThat(reports.runningWork()).isEqualTo(1);
        assertThat(work.isCurrent()).isFalse();
        next.close();
    }

    @Test
    void after_a_reset_there_was_no_result() throws InterruptedException {
        elections.follow("reports", "other");
        elections.reset();
        assertThat(reports.awaitResult(Duration.ZERO)).isFalse();
        elections.lead("reports");
        elections.follow("reports");
        assertThat(reports.awaitResult(Duration.ZERO)).isTrue();
    }

    @Test
    void stopped_elections_can_be_led_and_reset_without_a_start() {
        elections.lead("reports");
        elections.stop();
        elections.lead("reports");
        assertThat(reports.isLeader()).isTrue();
        elections.stop();
        elections.reset();
        assertThat(reports.role()).isEqualTo(Role.FOLLOWER);
    }

    @Test
    void elections_that_are_led_while_they_stop_are_led_again() {
        elections.lead("reports");
        LeaderWork work = reports.beginWork().orElseThrow();
        CompletableFuture<Void> stopped = elections.stop().toCompletableFuture();
        elections.lead("reports");
        assertThat(stopped).isCompleted();
        assertThat(reports.isLeader()).isTrue();
        assertThat(work.isCurrent()).isFalse();
        work.close();
        assertThat(reports.isLeader()).isTrue();
    }

    @Test
    void stopped_elections_follow_again_when_started() {
        elections.lead("reports");
        assertThat(elections.stop()).isCompleted();
        assertThat(reports.role()).isEqualTo(Role.STOPPED);
        elections.start();
        assertThat(reports.role()).isEqualTo(Role.FOLLOWER);
    }

    @Test
    void a_stop_waits_for_running_work() {
        elections.lead("reports");
        LeaderWork work = reports.beginWork().orElseThrow();
        CompletableFuture<Void> stopped = elections.stop().toCompletableFuture();
        assertThat(stopped).isNotDone();
        work.close();
        assertThat(stopped).isCompleted();
        assertThat(reports.role()).isEqualTo(Role.STOPPED);
    }

    @Test
    void another_thread_waits_for_leadership_and_for_a_result() throws Exception {
        CompletableFuture<Boolean> leadership = CompletableFuture.supplyAsync(() -> {
            try {
                return reports.awaitLeadership(LONG) && reports.awaitResult(LONG);
            } catch (InterruptedException e) {
                throw new CompletionException(e);
            }
        });
        assertThat(reports.awaitLeadership(Duration.ofMillis(1))).isFalse();
        elections.lead("reports");
        assertThat(leadership.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void commands_of_many_threads_are_heard_as_one_leadership_after_the_other() {
        reports.addListener(new Recorder());
        Runnable busy = () -> {
            for (int round = 0; round < 500; round++) {
                elections.lead("reports");
                reports.runIfLeader(() -> {});
                elections.resign("reports");
            }
        };

        CompletableFuture.allOf(
                        CompletableFuture.runAsync(busy),
                        CompletableFuture.runAsync(busy),
                        CompletableFuture.runAsync(busy))
                .join();

        assertThat(reports.runningWork()).isZero();
        assertThat(reports.isLeader()).isFalse();
        List<FencingToken> acquired = new ArrayList<>();
        List<FencingToken> lost = new ArrayList<>();
        for (LeadershipEvent event : heard) {
            if (event instanceof LeadershipEvent.Acquired next) {
                assertThat(lost).hasSameSizeAs(acquired);
                acquired.add(next.leader().token());
            } else if (event instanceof LeadershipEvent.Lost last) {
                lost.add(last.token());
            }
        }
        assertThat(lost).isEqualTo(acquired).hasSize(1500).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_leader_of_the_test_gives_up_when_it_is_asked_to() {
        elections.lead("reports");
        AbdicationReport report = reports.requestAbdication(AbdicationRequest.of(Abdication.toAnyone()))
                .toCompletableFuture()
                .join();
        assertThat(report.outcome()).isEqualTo(AbdicationOutcome.RELEASED);
        assertThat(report.before()).isPresent();
        assertThat(reports.isLeader()).isFalse();
    }

    @Test
    void the_store_of_a_test_says_what_the_test_says() {
        assertThat(reports.lookUp().toCompletableFuture().join().leader()).isEmpty();
        elections.lead("reports");
        StoreView view = reports.lookUp().toCompletableFuture().join();
        assertThat(view.leader()).isEqualTo(reports.leader());
        assertThat(view.leaderships()).isEmpty();
    }

    @Test
    void no_lease_ends_and_no_drain_is_over_by_itself_however_long_a_test_takes() {
        AtomicLong nanos = new AtomicLong();
        TestElections slow = new TestElections("slow", Map.of(), Set.of(), new StandingClock(nanos::get));
        Election led = slow.get("led");
        Election left = slow.get("left");
        slow.lead("led");
        slow.lead("left");
        slow.addListener(new Recorder());
        LeaderWork work = left.beginWork().orElseThrow();
        CompletableFuture<AbdicationOutcome> outcome = left.abdicate(
                        Abdication.toAnyone().drainingFor(Duration.ofSeconds(5)))
                .toCompletableFuture();
        heard.clear();

        for (int day = 0; day < 10; day++) {
            nanos.addAndGet(Duration.ofDays(1).toNanos());
            assertThat(led.isLeader()).isTrue();
            slow.get("joined-on-day-" + day);
        }

        assertThat(heard).extracting(LeadershipEvent::election).doesNotContain("led", "left");
        assertThat(led.lookUp().toCompletableFuture().join().leader()).isEqualTo(led.leader());
        assertThat(outcome).isNotDone();
        work.close();
        assertThat(outcome).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(lost().held()).isEqualTo(Duration.ofDays(10));
    }

    @Test
    void asking_joins_and_finding_does_not() {
        assertThat(elections.find("unknown")).isEmpty();
        assertThat(elections.get("known")).isSameAs(elections.find("known").orElseThrow());
        assertThat(elections.all()).extracting(Election::name).containsExactly("known", "reports");
    }

    private List<String> kinds() {
        return heard.stream().map(event -> event.getClass().getSimpleName()).toList();
    }

    private LeadershipEvent.Lost lost() {
        return heard.stream()
                .filter(LeadershipEvent.Lost.class::isInstance)
                .map(LeadershipEvent.Lost.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private final class Recorder implements LeadershipListener {
        @Override
        public void onEvent(LeadershipEvent event) {
            heard.add(event);
        }
    }
}
