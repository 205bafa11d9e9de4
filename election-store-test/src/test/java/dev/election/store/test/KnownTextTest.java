package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadOutcome;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A store without a clock that says with its events what the text is, so that it need not be read. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KnownTextTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    private final InMemoryRecordStore records = InMemoryRecordStore.withoutClock(millis::get);
    private final List<Consumer<Change>> watchers = new ArrayList<>();
    private final List<String> calls = new ArrayList<>();

    private boolean hearsAtOnce = true;
    private boolean comparesStoredText = true;

    /** Holds back the next reply to a read, where there is one. */
    private @Nullable CompletableFuture<ReadOutcome> heldBack;

    private final LeaseStore leader = process(records);
    private final LeaseStore follower = process(telling());

    private LeaseStore process(RecordStore store) {
        return new RecordLeaseStore(store, "", new LeaseRules(5), () -> millis.get() * 1_000_000, millis::get);
    }

    @Test
    void a_follower_that_hears_of_each_change_reads_nothing_also_for_a_grant() {
        Granted grant = lead(leader, "a");
        listen();
        assertThat(campaign(follower, "b")).isInstanceOf(Held.class);
        for (int i = 0; i < 5; i++) {
            pass(Duration.ofSeconds(10));
            renew(leader, "a", grant);
            tell();
            calls.clear();
            assertThat(campaign(follower, "b")).isInstanceOf(Held.class);
            assertThat(calls).doesNotContain("read");
        }
        pass(LEASE.plusMillis(2));
        calls.clear();
        assertThat(campaign(follower, "b")).isInstanceOf(Granted.class);
        assertThat(calls).contains("replace").doesNotContain("read");
    }

    @Test
    void a_follower_reads_before_a_grant_where_a_write_is_compared_with_a_copy_of_the_text() {
        comparesStoredText = false;
        Granted grant = lead(leader, "a");
        listen();
        assertThat(campaign(follower, "b")).isInstanceOf(Held.class);
        pass(Duration.ofSeconds(10));
        renew(leader, "a", grant);
        tell();
        calls.clear();
        assertThat(campaign(follower, "b")).isInstanceOf(Held.class);
        assertThat(calls).doesNotContain("read");
        pass(LEASE.plusMillis(2));
        assertThat(campaign(follower, "b")).isInstanceOf(Granted.class);
        assertThat(calls).contains("read");
    }

    @Test
    void a_follower_whose_events_are_late_is_granted_nothing_on_an_old_text() {
        Granted grant = lead(leader, "a");
        listen();
        assertThat(campaign(follower, "b")).isInstanceOf(Held.class);
        pass(Duration.ofSeconds(10));
        renew(leader, "a", grant);
        pass(Duration.ofSeconds(10));
        assertThat(campaign(follower, "b")).isInstanceOf(Held.class);
    }

    @Test
    void a_grant_on_the_text_of_an_event_counts_only_over_its_connection() {
        records.hideIncarnation();
        Granted grant = lead(leader, "a");
        listen();
        for (int i = 0; i < 2; i++) {
            assertThat(campaign(follower, "b")).isInstanceOf(Held.class);
            pass(Duration.ofSeconds(10));
            renew(leader, "a", grant);
            tell();
        }
        release(leader, "a", grant);
        Read late = (Read) records.read("e").toCompletableFuture().join();
        records.becomeAnother(Duration.ZERO);
        hearsAtOnce = false;
        assertThat(campaign(follower, "b")).isInstanceOf(CampaignReply.Wait.class);
        hearsAtOnce = true;
        pass(Duration.ofMillis(1));
        watchers.forEach(watcher -> watcher.accept(new Change.Text(late)));
        assertThat(campaign(follower, "b")).isInstanceOf(CampaignReply.Wait.class);
        pass(LEASE.plusMillis(1));
        assertThat(campaign(follower, "b")).isInstanceOf(Granted.class);
    }

    @Test
    void a_renewal_and_a_release_are_one_write_each() {
        listen();
        Granted grant = lead(follower, "b");
        calls.clear();
        renew(follower, "b", grant);
        release(follower, "b", grant);
        assertThat(calls).filteredOn(List.of("read", "replace")::contains).containsExactly("replace", "replace");
    }

    @Test
    void a_reply_that_an_event_has_overtaken_is_not_taken_for_the_present_text() {
        Granted grant = lead(leader, "a");
        listen();
        assertThat(campaign(follower, "b")).isInstanceOf(Held.class);
        hearsAtOnce = false;
        CompletableFuture<ReadOutcome> late = new CompletableFuture<>();
        heldBack = late;
        CompletionStage<CampaignReply> overtaken = follower.campaign(request("b"));
        ReadOutcome before = records.read("e").toCompletableFuture().join();
        pass(Duration.ofMillis(1));
        release(leader, "a", grant);
        tell();
        hearsAtOnce = true;
        late.complete(before);
        assertThat(overtaken.toCompletableFuture().join()).isInstanceOf(Held.class);
        assertThat(campaign(follower, "b")).isInstanceOf(Granted.class);
    }

    private void listen() {
        LeaseStore.Subscription unused = follower.listen("e", event -> {});
    }

    private void tell() {
        Change change =
                new Change.Text((Read) records.read("e").toCompletableFuture().join());
        watchers.forEach(watcher -> watcher.accept(change));
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    private Granted lead(LeaseStore process, String node) {
        CampaignReply reply = campaign(process, node);
        while (reply instanceof CampaignReply.Wait wait) {
            pass(wait.remaining().plusMillis(1));
            reply = campaign(process, node);
        }
        return (Granted) reply;
    }

    private static CampaignReply campaign(LeaseStore process, String node) {
        return process.campaign(request(node)).toCompletableFuture().join();
    }

    private static CampaignRequest request(String node) {
        return new CampaignRequest(candidate(node), LEASE, 0, Duration.ofMillis(30));
    }

    private static void renew(LeaseStore process, String node, Granted grant) {
        assertThat(process.renew(new RenewRequest(candidate(node), grant.token(), grant.since(), grant.expiry(), LEASE))
                        .toCompletableFuture()
                        .join())
                .isInstanceOf(RenewReply.Renewed.class);
    }

    private static void release(LeaseStore process, String node, Granted grant) {
        process.release(new ReleaseRequest(
                        candidate(node),
                        new ReleaseRequest.Grant(grant.token(), grant.expiry()),
                        LEASE,
                        LossReason.ABDICATED))
                .toCompletableFuture()
                .join();
    }

    private static Candidate candidate(String node) {
        return new Candidate("e", node + ".1", new NodeInfo(node, ""));
    }

    /** The store, with events that this test sends, and replies that it can hold back. */
    private RecordStore telling() {
        return (RecordStore) Proxy.newProxyInstance(
                KnownTextTest.class.getClassLoader(),
                new Class<?>[] {RecordStore.class},
                (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    switch (method.getName()) {
                        case "hearsAtOnce":
                            return hearsAtOnce;
                        case "comparesStoredText":
                            return comparesStoredText;
                        case "together":
                            ((Runnable) arguments[0]).run();
                            return null;
                        case "watch":
                            @SuppressWarnings("unchecked")
                            Consumer<Change> watcher = (Consumer<Change>) arguments[1];
                            watchers.add(watcher);
                            return (LeaseStore.Subscription) () -> {};
                        case "read":
                            CompletableFuture<ReadOutcome> held = heldBack;
                            if (held != null) {
                                heldBack = null;
                                return held;
                            }
                            break;
                        default:
                    }
                    try {
                        return method.invoke(records, arguments);
                    } catch (InvocationTargetException failure) {
                        throw failure.getCause();
                    }
                });
    }
}
