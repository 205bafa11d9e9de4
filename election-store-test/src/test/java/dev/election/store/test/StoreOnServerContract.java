package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Wait;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.Stored;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.Candidate;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.testing.LeaderStateContract;
import dev.election.testing.ShiftedRecordStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contracts over one server that can't name its incarnation, which only connections prove to be the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class StoreOnServerContract {

    /** How long ago a process has seen its connections first. */
    private static final Duration LONG_AGO = Duration.ofDays(2);

    /** The store under test. */
    protected abstract RecordStore records();

    /** Keeps the server's present data for a restore. */
    protected abstract void snapshot();

    /** Ends the server as a crash does. */
    protected abstract void kill();

    /** Brings the data of the snapshot back, and starts the server. */
    protected abstract void restore();

    @BeforeAll
    void isThere() {
        assertThat(ask(records().read("any"))).isInstanceOf(Read.class);
    }

    protected static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Waits until both connections prove the same: one that took long to open is not known to until the other was used after that. */
    private void awaitOneProof() {
        Wait.until("one proof", Duration.ofSeconds(10), () -> {
            var one = records().readAll("none/");
            var other = records().readAll("none/");
            return ask(one) instanceof ReadAll first
                    && ask(other) instanceof ReadAll second
                    && first.origin().equals(second.origin());
        });
    }

    private void rewrite(String key, UnaryOperator<String> change) {
        Stored stored = ((Read) ask(records().read(key))).stored();
        if (stored != null) {
            assertThat(ask(records().replace(key, stored, change.apply(stored.text()))))
                    .isInstanceOf(RecordStore.Written.class);
        }
    }

    private void delete(String prefix) {
        ((ReadAll) ask(records().readAll(prefix)))
                .stored()
                .forEach((key, stored) -> ask(records().delete(key, stored)));
    }

    @Nested
    class Records extends RecordStoreContract {

        @Override
        protected RecordStore store() {
            return records();
        }

        @Override
        protected Optional<Standby> standby() {
            return Optional.of(new Standby() {
                @Override
                public void detach() {
                    snapshot();
                }

                @Override
                public void promote() {
                    kill();
                    // No server is stopped, restored and started again within half a second. To park may end at once.
                    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
                    while (System.nanoTime() - end < 0) {
                        LockSupport.parkNanos(end - System.nanoTime());
                    }
                    restore();
                }
            });
        }
    }

    @Nested
    class Leases extends LeaseStoreContract
            implements ConnectionContract, SuccessionContract, HistoryContract, EvictionContract, MessagingContract {

        private final ShiftedRecordStore shown = new ShiftedRecordStore(records());
        private final AtomicLong wall = new AtomicLong(System.currentTimeMillis());

        /** In milliseconds. Never goes back. */
        private final AtomicLong monotonic = new AtomicLong();

        private final LeaseStore store =
                new RecordLeaseStore(shown, "", new LeaseRules(HISTORY), () -> monotonic.get() * 1_000_000, wall::get);

        Leases() {
            // The connections have been seen for the longest lease of these tests.
            awaitOneProof();
            ask(store.read("any"));
            pass(LONG_AGO);
        }

        @Override
        public LeaseStore store() {
            return store;
        }

        /** A watch that was opened long after the last request proves what the other connections do once one of those was heard of. */
        @Override
        public Granted lead(Candidate candidate, Duration lease) {
            ask(store.read("any"));
            return super.lead(candidate, lease);
        }

        @Override
        public void forget() {
            delete(election());
        }

        @Override
        public Runnable save() {
            Stored then = ((Read) ask(records().read(election()))).stored();
            return () -> rewrite(election(), now -> then.text());
        }

        @Override
        public void loseLease() {
            rewrite(election(), text -> text.replaceAll("(?m)^lease\\..*\n", "")
                    .replaceFirst("(?m)^write=.*$", "write=by hand"));
        }

        @Override
        public void pass(Duration time) {
            wall.addAndGet(time.toMillis());
            monotonic.addAndGet(time.toMillis());
        }

        @Override
        public void changeIncarnation() {
            shown.endConnections();
        }

        @Override
        public Duration leaseOlderThanTheServer() {
            return Duration.ofMinutes(5);
        }

        @Override
        public void turnClockBack(Duration time) {
            wall.addAndGet(-time.toMillis());
        }
    }

    @Nested
    class Members implements MembersContract {

        private final String prefix = UUID.randomUUID() + "/";

        /** No two members join in the same millisecond. */
        private final AtomicLong wall = new AtomicLong(System.currentTimeMillis());

        private final ShiftedRecordStore shifted = new ShiftedRecordStore(records());
        private final LeaseStore store =
                new RecordLeaseStore(shifted, prefix, new LeaseRules(5), shifted::nanos, wall::incrementAndGet);

        @Override
        public LeaseStore store() {
            return store;
        }

        @Override
        public void pass(Duration time) {
            shifted.pass(time);
        }

        @Override
        public void forget() {
            delete(prefix);
        }

        @Override
        public void awaitDeletion(String instance) {
            Wait.until(
                    "the deletion of " + instance,
                    Duration.ofSeconds(10),
                    () -> ask(records().readAll(prefix)) instanceof ReadAll all
                            && all.stored().keySet().stream().noneMatch(key -> key.endsWith("/" + instance)));
        }
    }

    @Nested
    class Ledgers extends LedgerStoreContract {

        private final String election = UUID.randomUUID().toString();
        private final ShiftedRecordStore shifted = new ShiftedRecordStore(records());
        private final LedgerStore ledger = new RecordLeaseStore(
                        shifted, "", new LeaseRules(5), shifted::nanos, System::currentTimeMillis)
                .ledgerStore()
                .orElseThrow();

        Ledgers() {
            awaitOneProof();
            ask(ledger.read(election));
            shifted.pass(LONG_AGO);
        }

        @Override
        protected LedgerStore ledger() {
            return ledger;
        }

        @Override
        protected String election() {
            return election;
        }

        @Override
        protected void forget() {
            delete("ledger/" + election);
        }

        @Override
        protected void putBack(Duration time) {
            long since = Instant.now().minus(time).toEpochMilli();
            rewrite("ledger/" + election, text -> text.replaceFirst("since=\\d+", "since=" + since));
        }

        @Override
        protected void changeIncarnation() {
            shifted.endConnections();
        }

        @Override
        protected void seeForADay() {
            ask(ledger.read(election));
            shifted.pass(Duration.ofDays(1));
        }
    }

    @Nested
    class States extends LeaderStateContract {

        private final String election = UUID.randomUUID().toString();

        @Override
        protected LedgerStore ledger() {
            return new RecordLeaseStore(records(), "", new LeaseRules(5))
                    .ledgerStore()
                    .orElseThrow();
        }

        @Override
        protected String election() {
            return election;
        }

        @Override
        protected void forgetState() {
            delete("ledger/" + election + "/state");
        }
    }

    /** Keys that a store might take for one another. */
    protected List<String> keysThatLookAlike() {
        return List.of(
                "Like", "like", "like ", "l\u00f6ke", "lo\u0308ke", "like.a", "like/a", "like-a", "x".repeat(250));
    }

    @Test
    void keys_that_look_alike_are_kept_apart() {
        List<String> keys = keysThatLookAlike();
        for (String key : keys) {
            assertThat(ask(records().replace(key, null, key))).as(key).isInstanceOf(RecordStore.Written.class);
        }
        for (String key : keys) {
            assertThat(((Read) ask(records().read(key))).stored())
                    .extracting(Stored::text)
                    .isEqualTo(key);
        }
    }
}
