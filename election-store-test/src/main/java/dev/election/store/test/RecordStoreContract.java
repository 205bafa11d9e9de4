package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.record.Continuity;
import dev.election.record.Continuity.OfConnection;
import dev.election.record.Continuity.OfIncarnation;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Listed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReleaseRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The contract of every {@link RecordStore}. The test of a store extends this and creates the store. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class RecordStoreContract {

    private static final Duration LEASE = Duration.ofSeconds(60);

    private String key = "";

    /** A name of its own for each test, so that tests can share a server. */
    @BeforeEach
    void nameTheKey() {
        key = "contract-" + UUID.randomUUID() + "/";
    }

    protected abstract RecordStore store();

    /**
     * Returns a store that takes the place of this one with less than it has acknowledged: a standby to which it replicates asynchronously, or
     * the same server with an earlier backup. Empty only if that never happens: then the store shows {@link Continuity#promised}.
     */
    protected abstract Optional<Standby> standby();

    /** A standby that lags, or a backup. */
    public interface Standby {

        /** Ends the replication. The standby has all that was written before, and nothing that is written from here on. */
        void detach();

        /** Puts the standby in the place of the store. The store under test reaches it then or soon. */
        void promote();
    }

    @Test
    void a_key_that_was_never_written_holds_nothing() {
        assertThat(read()).isNull();
    }

    @Test
    void a_text_is_read_as_it_was_written() {
        String text = "a=1\nb=\u00e4\u20ac\ud83d\ude00 \\ \"'\n\n";
        Stored written = written(replace(null, text));
        assertThat(written.text()).isEqualTo(text);
        assertThat(read()).isEqualTo(written);
    }

    @Test
    void what_was_read_is_replaced() {
        Stored first = written(replace(null, "first"));
        Stored second = written(replace(first, "second"));
        assertThat(second).isNotEqualTo(first);
        assertThat(read()).isEqualTo(second);
    }

    @Test
    void nothing_is_made_where_there_is_something() {
        Stored there = written(replace(null, "there"));
        assertThat(conflict(replace(null, "another"))).isEqualTo(there);
        assertThat(read()).isEqualTo(there);
    }

    @Test
    void what_has_changed_since_it_was_read_is_not_replaced() {
        Stored first = written(replace(null, "first"));
        Stored second = written(replace(first, "second"));
        assertThat(conflict(replace(first, "third"))).isEqualTo(second);
        assertThat(read()).isEqualTo(second);
    }

    @Test
    void what_was_deleted_is_not_replaced() {
        Stored first = written(replace(null, "first"));
        assertThat(delete(first)).isInstanceOf(Written.class);
        assertThat(conflict(replace(first, "second"))).isNull();
        assertThat(read()).isNull();
    }

    @Test
    void what_was_deleted_and_made_again_up_to_the_same_version_is_not_what_was_read() {
        Stored first = written(replace(null, "first"));
        Stored second = written(replace(first, "second"));
        delete(second);
        Stored again = written(replace(written(replace(null, "other")), "another"));
        assertThat(conflict(replace(second, "third"))).isEqualTo(again);
        assertThat(conflict(delete(second))).isEqualTo(again);
    }

    @Test
    void what_has_changed_since_it_was_read_is_not_deleted() {
        Stored first = written(replace(null, "first"));
        Stored second = written(replace(first, "second"));
        assertThat(conflict(delete(first))).isEqualTo(second);
        assertThat(read()).isEqualTo(second);
    }

    @Test
    void keys_are_listed_by_their_beginning() {
        ask(store().replace(key + "a", null, "1"));
        ask(store().replace(key + "b", null, "2"));
        assertThat(((Listed) ask(store().list(key))).keys()).containsExactlyInAnyOrder(key + "a", key + "b");
        assertThat(((Listed) ask(store().list(key + "b"))).keys()).containsExactly(key + "b");
        assertThat(((Listed) ask(store().list(key + "c"))).keys()).isEmpty();
    }

    @Test
    void all_texts_under_a_prefix_are_read_with_what_a_change_of_one_expects() {
        Stored one = written(ask(store().replace(key + "a", null, "1")));
        Stored other = written(ask(store().replace(key + "b", null, "\u00e4\n")));
        ask(store().replace(key + "c", null, "3"));
        ask(store().delete(key + "c", written(ask(store().replace(key + "c", storedAt(key + "c"), "4")))));
        ReadAll all = (ReadAll) ask(store().readAll(key));
        assertThat(all.stored()).isEqualTo(Map.of(key + "a", one, key + "b", other));
        assertThat(all.origin().continuity())
                .hasSameClassAs(((Read) ask(store().read(key + "a"))).origin().continuity());
        assertThat(((ReadAll) ask(store().readAll(key + "b"))).stored()).containsOnlyKeys(key + "b");
        assertThat(((ReadAll) ask(store().readAll(key + "none"))).stored()).isEmpty();
    }

    private Stored storedAt(String at) {
        return Objects.requireNonNull(((Read) ask(store().read(at))).stored());
    }

    @Test
    void what_is_asked_together_is_answered_as_if_each_had_come_alone() {
        Stored kept = written(ask(store().replace(key + "kept", null, "1")));
        Stored changed = written(ask(store().replace(key + "changed", null, "1")));
        Stored deleted = written(ask(store().replace(key + "deleted", null, "1")));
        List<CompletionStage<ReplaceOutcome>> writes = new ArrayList<>();
        List<CompletionStage<RecordStore.ReadOutcome>> reads = new ArrayList<>();
        store().together(() -> {
            reads.add(store().read(key + "kept"));
            writes.add(store().replace(key + "changed", changed, "2"));
            writes.add(store().replace(key + "kept", null, "2"));
            writes.add(store().delete(key + "deleted", deleted));
            writes.add(store().replace(key + "made", null, "1"));
            writes.add(store().delete(key + "made", changed));
            writes.add(store().replace(key + "changed", changed, "3"));
            reads.add(store().read(key + "none"));
        });
        assertThat(((Read) ask(reads.get(0))).stored()).isEqualTo(kept);
        assertThat(((Read) ask(reads.get(1))).stored()).isNull();
        assertThat(conflict(ask(writes.get(1)))).isEqualTo(kept);
        assertThat(ask(writes.get(2))).isInstanceOf(Written.class);
        assertThat(written(ask(writes.get(3)))).isEqualTo(storedAt(key + "made"));
        assertThat(ask(writes.get(4))).isInstanceOf(Conflict.class);
        List<ReplaceOutcome> rivals = List.of(ask(writes.get(0)), ask(writes.get(5)));
        assertThat(rivals).hasAtLeastOneElementOfType(Written.class).hasAtLeastOneElementOfType(Conflict.class);
        assertThat(rivals.stream().filter(Written.class::isInstance).map(RecordStoreContract::written))
                .containsExactly(storedAt(key + "changed"));
        assertThat(((Read) ask(store().read(key + "deleted"))).stored()).isNull();
    }

    @Test
    void of_many_who_replace_the_same_text_one_gets_through() throws InterruptedException {
        int threads = 4;
        int rounds = 50;
        written(replace(null, "0"));
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                for (int done = 0; done < rounds; ) {
                    Stored before = Objects.requireNonNull(read());
                    String next = Integer.toString(Integer.parseInt(before.text()) + 1);
                    done += replace(before, next) instanceof Written ? 1 : 0;
                }
            });
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(read()).extracting(Stored::text).isEqualTo(Integer.toString(threads * rounds));
    }

    @Test
    void a_watcher_hears_that_its_key_has_changed_until_it_leaves() throws InterruptedException {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        LeaseStore.Subscription subscription = store().watch(key, heard::add);
        Stored first = written(replace(null, "first"));
        awaitChange(heard);
        subscription.close();
        heard.clear();
        replace(first, "second");
        BlockingQueue<Change> later = new LinkedBlockingQueue<>();
        try (LeaseStore.Subscription another = store().watch(key, later::add)) {
            Stored now = Objects.requireNonNull(read());
            replace(now, "third");
            awaitChange(later);
        }
        assertThat(heard).doesNotHaveAnyElementsOfTypes(Change.Text.class);
    }

    @Test
    void a_store_that_nothing_befalls_remains_the_same_and_its_clock_goes_on() {
        Read first = (Read) ask(store().read(key));
        Read second = (Read) ask(store().read(key));
        Continuity shown = first.origin().continuity();
        assertThat(second.origin().continuity()).hasSameClassAs(shown);
        if (!(shown instanceof OfConnection)) {
            assertThat(nameOf(second)).isEqualTo(nameOf(first));
        }
        if (first.origin().clock() != null) {
            assertThat(second.origin().clock()).isAfterOrEqualTo(first.origin().clock());
        } else {
            assertThat(second.origin().clock()).isNull();
        }
    }

    @Test
    void a_store_that_keeps_no_ledgerStores_has_none_and_others_take_a_large_one() {
        Optional<LedgerStore> ledgerStore = process(new AtomicLong()).ledgerStore();
        assertThat(ledgerStore.isPresent()).isEqualTo(store().keepsLedgers());
        if (ledgerStore.isPresent()) {
            String large = "x\n".repeat(100_000);
            assertThat(written(replace(null, large)).text()).isEqualTo(large);
            assertThat(read()).extracting(Stored::text).isEqualTo(large);
        }
    }

    @Test
    void a_store_that_may_lose_what_it_acknowledged_shows_it() {
        Read read = (Read) ask(store().read(key));
        if (standby().isEmpty()) {
            assertThat(read.origin().continuity())
                    .as("without a standby in its test the store has to promise that it never loses what it"
                            + " acknowledged")
                    .isEqualTo(Continuity.promised());
        }
    }

    @Test
    void a_change_that_rests_on_what_was_read_before_a_standby_was_promoted_does_not_count() {
        standby().ifPresent(standby -> {
            Stored kept = written(replace(null, "kept"));
            standby.detach();
            Read before = (Read) ask(store().read(key));
            written(replace(kept, "lost"));
            standby.promote();
            Continuity writer = writer(answered(() -> store().replace(key, before.stored(), "late")));
            assertThat(nameOf(writer))
                    .as("what made the change that is based on a read from the store before")
                    .isNotEqualTo(nameOf(before));
            assertThat(read())
                    .as("what the standby has")
                    .extracting(Stored::text)
                    .isEqualTo("late");
        });
    }

    @Test
    void a_promoted_standby_has_another_name_and_proves_no_age_from_before_its_promotion() {
        standby().ifPresent(standby -> {
            Read before = (Read) ask(store().read(key));
            standby.detach();
            long promotedAfter = System.nanoTime();
            standby.promote();
            Read after = (Read) answered(() -> store().read(key));
            assertThat(nameOf(after)).isNotEqualTo(nameOf(before));
            if (after.origin().continuity() instanceof OfIncarnation present) {
                // A store may count in milliseconds.
                assertThat(present.provenAge())
                        .as("for how long the standby has taken writes: not the uptime of its process")
                        .isLessThanOrEqualTo(since(promotedAfter).plusMillis(1));
            }
        });
    }

    @Test
    void a_promoted_standby_does_not_grant_a_lease_that_the_store_has_granted_since_the_standby_lags() {
        standby().ifPresent(standby -> {
            // A new connection may count only after a lease: the clock of these processes runs fast.
            AtomicLong hours = new AtomicLong();
            LeaseStore first = process(hours);
            LeaseStore second = process(hours);
            Granted old = awaitGrant(first, "a", hours);
            ask(first.release(new ReleaseRequest(
                    candidate("a"), new ReleaseRequest.Grant(old.token(), old.expiry()), LEASE, LossReason.ABDICATED)));
            standby.detach();
            awaitGrant(second, "b", hours);
            standby.promote();
            assertThat(answered(() -> first.campaign(campaign("a"))))
                    .as("what the standby says to another candidate while the lease lasts")
                    .isInstanceOf(CampaignReply.Wait.class);
        });
    }

    private LeaseStore process(AtomicLong hours) {
        return new RecordLeaseStore(
                store(),
                key,
                new LeaseRules(0),
                () -> System.nanoTime() + TimeUnit.HOURS.toNanos(hours.get()),
                System::currentTimeMillis);
    }

    private static Granted awaitGrant(LeaseStore process, String node, AtomicLong hours) {
        long began = System.nanoTime();
        CampaignReply reply = ask(process.campaign(campaign(node)));
        while (!(reply instanceof Granted) && since(began).compareTo(Duration.ofSeconds(30)) < 0) {
            hours.incrementAndGet();
            reply = ask(process.campaign(campaign(node)));
        }
        assertThat(reply).isInstanceOf(Granted.class);
        return (Granted) reply;
    }

    /** Creates the request of a process that has seen no token. */
    private static CampaignRequest campaign(String node) {
        return new CampaignRequest(candidate(node), LEASE, 0, Duration.ofMillis(30));
    }

    private static Candidate candidate(String node) {
        return new Candidate("e", node + ".1", new NodeInfo(node, ""));
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static Continuity writer(ReplaceOutcome outcome) {
        return outcome instanceof Written written
                ? written.origin().continuity()
                : ((Conflict) outcome).origin().continuity();
    }

    private static String nameOf(Read read) {
        return nameOf(read.origin().continuity());
    }

    private static String nameOf(Continuity continuity) {
        if (continuity instanceof OfIncarnation incarnation) {
            return "incarnation " + incarnation.id();
        }
        return continuity instanceof OfConnection connection ? "connection " + connection.id() : "promised";
    }

    /** Asks until there is an answer: the connection to the store that was replaced may have to break first. */
    private static <T> T answered(Supplier<CompletionStage<T>> request) {
        long began = System.nanoTime();
        T outcome;
        do {
            outcome = ask(request.get());
        } while ((outcome instanceof RecordStore.Failed || outcome instanceof NoAnswer)
                && since(began).compareTo(Duration.ofSeconds(30)) < 0);
        assertThat(outcome).isNotInstanceOfAny(RecordStore.Failed.class, NoAnswer.class);
        return outcome;
    }

    private static void awaitChange(BlockingQueue<Change> heard) throws InterruptedException {
        Change change;
        do {
            change = heard.poll(10, TimeUnit.SECONDS);
            assertThat(change).as("news within 10 s").isNotNull();
        } while (!(change instanceof Change.Text));
    }

    private @Nullable Stored read() {
        return ((Read) ask(store().read(key))).stored();
    }

    private ReplaceOutcome replace(@Nullable Stored expected, String text) {
        return ask(store().replace(key, expected, text));
    }

    private ReplaceOutcome delete(Stored expected) {
        return ask(store().delete(key, expected));
    }

    private static Stored written(ReplaceOutcome outcome) {
        assertThat(outcome).isInstanceOf(Written.class);
        return Objects.requireNonNull(((Written) outcome).stored());
    }

    private static @Nullable Stored conflict(ReplaceOutcome outcome) {
        assertThat(outcome).isInstanceOf(Conflict.class);
        return ((Conflict) outcome).current();
    }

    private static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
