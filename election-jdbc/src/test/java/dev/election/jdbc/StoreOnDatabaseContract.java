package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LossReason;
import dev.election.StoreProblem;
import dev.election.jdbc.internal.JdbcRecordStore;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadOutcome;
import dev.election.record.RecordStore.Written;
import dev.election.store.CampaignReply;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReleaseRequest;
import dev.election.store.test.EvictionContract;
import dev.election.store.test.HistoryContract;
import dev.election.store.test.IncarnationContract;
import dev.election.store.test.LeaseStoreContract;
import dev.election.store.test.LedgerStoreContract;
import dev.election.store.test.MembersContract;
import dev.election.store.test.MessagingContract;
import dev.election.store.test.RecordStoreContract;
import dev.election.store.test.SuccessionContract;
import dev.election.testing.LeaderStateContract;
import dev.election.testing.ShiftedRecordStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The contracts over one database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class StoreOnDatabaseContract {

    static final Duration LEASE = Duration.ofSeconds(15);

    static final JdbcSettings SETTINGS =
            new JdbcSettings(JdbcTable.DEFAULT, TableCreation.ALWAYS, Duration.ofMillis(50), 5);

    final TestDatabase database = open();
    JdbcRecordStore records;

    abstract TestDatabase open();

    @BeforeAll
    void openTheStore() {
        records = new JdbcRecordStore(database.access(), SETTINGS, LEASE);
        assertThat(ask(records.read("any"))).isInstanceOf(Read.class);
    }

    @AfterAll
    void close() throws Exception {
        records.close();
        database.close();
    }

    static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().join();
    }

    private void awaitAnswer() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(20))
                .until(() -> ask(records.read("any")) instanceof Read && ask(records.read("any")) instanceof Read);
    }

    final void rewrite(String key, UnaryOperator<String> change) {
        List<List<@Nullable String>> rows = database.query("select content from election where name = ?", key);
        for (List<@Nullable String> row : rows) {
            database.update(
                    "update election set version = version + 1, content = ? where name = ?",
                    change.apply(String.valueOf(row.get(0))),
                    key);
        }
    }

    @Nested
    class Records extends RecordStoreContract {

        @Override
        protected RecordStore store() {
            return records;
        }

        @Override
        protected Optional<Standby> standby() {
            return Optional.of(new Standby() {
                @Override
                public void detach() {
                    try {
                        database.detachStandby();
                    } catch (Exception failure) {
                        throw new AssertionError(failure);
                    }
                    awaitAnswer();
                }

                @Override
                public void promote() {
                    try {
                        database.promoteStandby();
                    } catch (Exception failure) {
                        throw new AssertionError(failure);
                    }
                }
            });
        }
    }

    @Nested
    class Leases extends LeaseStoreContract
            implements IncarnationContract, SuccessionContract, HistoryContract, EvictionContract, MessagingContract {

        private final ShiftedRecordStore shifted = new ShiftedRecordStore(records);
        private final LeaseStore store =
                new RecordLeaseStore(shifted, "", new LeaseRules(HISTORY), shifted::nanos, System::currentTimeMillis);

        Leases() {
            // The incarnation has been seen for the shortest lease of these tests.
            ask(store.read("any"));
            shifted.pass(LEASE);
        }

        @Override
        public LeaseStore store() {
            return store;
        }

        @Override
        public void forget() {
            database.update("delete from election where name = ?", election());
        }

        @Override
        public Runnable save() {
            List<List<@Nullable String>> then =
                    database.query("select content from election where name = ?", election());
            return () -> rewrite(election(), now -> String.valueOf(then.get(0).get(0)));
        }

        @Override
        public void loseLease() {
            rewrite(election(), text -> text.replaceAll("(?m)^lease\\..*\n", ""));
        }

        @Override
        public void pass(Duration time) {
            shifted.pass(time);
        }

        @Override
        public void changeIncarnation() {
            rewrite(election(), text -> text.replaceFirst("(?m)^epoch.incarnation=.*$", "epoch.incarnation=another"));
        }

        @Override
        public Duration leaseOlderThanTheServer() {
            return Duration.ofMinutes(5);
        }

        @Override
        public void turnClockBack(Duration time) {
            shifted.turnClockBack(time);
        }

        @Test
        void a_successor_has_its_time_from_when_it_hears_of_it() {
            var grant = lead(a(), LONG_LEASE);
            Duration reserve = Duration.ofSeconds(3);
            Duration whole = reserve.plus(store.traits().messageDelay());
            ask(store.release(new ReleaseRequest(
                    a(),
                    new ReleaseRequest.Grant(grant.token(), grant.expiry()),
                    LONG_LEASE,
                    to("b", reserve),
                    LossReason.ABDICATED)));
            pass(reserve);
            assertThat(campaign(c(), LONG_LEASE, 0)).isInstanceOf(CampaignReply.Wait.class);
            pass(whole.minus(reserve));
            assertThat(campaign(c(), LONG_LEASE, 0)).isInstanceOf(CampaignReply.Granted.class);
        }

        @Test
        void the_row_shows_people_who_leads() {
            var grant = lead(a(), LONG_LEASE);
            String columns = "select holder, token, lease_end from election where name = ?";
            assertThat(database.query(columns, election()).get(0))
                    .satisfies(row -> assertThat(row.get(0)).isEqualTo("a"))
                    .satisfies(row ->
                            assertThat(row.get(1)).isEqualTo(grant.token().toString()))
                    .satisfies(row -> assertThat(row.get(2))
                            .startsWith(grant.expiry().toString().substring(0, 4)));
            release(a(), grant);
            assertThat(database.query(columns, election()).get(0)).containsOnlyNulls();
        }
    }

    @Nested
    class Members implements MembersContract {

        private final String prefix = UUID.randomUUID() + "/";
        private final ShiftedRecordStore shifted = new ShiftedRecordStore(records);
        private final LeaseStore store =
                new RecordLeaseStore(shifted, prefix, new LeaseRules(5), shifted::nanos, System::currentTimeMillis);

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
            database.update("delete from election where name like ?", prefix + "%");
        }
    }

    @Nested
    class Ledgers extends LedgerStoreContract {

        private final String election = UUID.randomUUID().toString();
        private final LedgerStore ledger = new RecordLeaseStore(records, "", new LeaseRules(5))
                .ledgerStore()
                .orElseThrow();

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
            database.update("delete from election where name like ?", "ledger/" + election + "%");
        }

        @Override
        protected void putBack(Duration time) {
            long since = Instant.now().minus(time).toEpochMilli();
            rewrite("ledger/" + election, text -> text.replaceFirst("since=\\d+", "since=" + since));
        }

        @Override
        protected void changeIncarnation() {
            rewrite("ledger/" + election, text -> text.replaceFirst("store=.*", "store=another"));
        }
    }

    @Nested
    class States extends LeaderStateContract {

        private final String election = UUID.randomUUID().toString();

        @Override
        protected LedgerStore ledger() {
            return new RecordLeaseStore(records, "", new LeaseRules(5))
                    .ledgerStore()
                    .orElseThrow();
        }

        @Override
        protected String election() {
            return election;
        }

        @Override
        protected void forgetState() {
            database.update("delete from election where name = ?", "ledger/" + election + "/state");
        }
    }

    @Test
    void names_and_texts_are_compared_byte_by_byte() {
        for (String name : List.of("Orders", "orders", "orders ", "\u00f6rders", "o\u0308rders")) {
            assertThat(ask(records.replace(name, null, name))).as(name).isInstanceOf(Written.class);
        }
        var stored = ((Read) ask(records.read("orders"))).stored();
        assertThat(stored).isNotNull();
        assertThat(stored.text()).isEqualTo("orders");
        for (String other : List.of("Orders", "orders ")) {
            assertThat(ask(records.replace("orders", new RecordStore.Stored(other, stored.version()), "changed")))
                    .as("replacing what was read as '%s'", other)
                    .isInstanceOf(RecordStore.Conflict.class);
        }
    }

    @Test
    void a_key_with_a_sign_of_a_pattern_is_no_pattern() {
        ask(records.replace("a_b/1", null, "1"));
        ask(records.replace("axb/1", null, "1"));
        ask(records.replace("a%b!/1", null, "1"));
        assertThat(((RecordStore.Listed) ask(records.list("a_b/"))).keys()).containsExactly("a_b/1");
        assertThat(((RecordStore.Listed) ask(records.list("a%b!/"))).keys()).containsExactly("a%b!/1");
    }

    @Test
    void a_missing_table_is_told_with_its_name_and_what_to_do() {
        JdbcTable table = new JdbcTable(null, "nowhere");
        try (JdbcRecordStore store =
                new JdbcRecordStore(database.access(), new JdbcSettings(table, TableCreation.NEVER, null, 5), LEASE)) {
            assertThat(problem(store).action())
                    .contains("the table nowhere does not exist")
                    .contains("set creation=always");
        }
    }

    @Test
    void a_table_that_was_dropped_is_created_again() {
        JdbcSettings settings = new JdbcSettings(new JdbcTable(null, "dropped"), TableCreation.ALWAYS, null, 5);
        try (JdbcRecordStore store = new JdbcRecordStore(database.access(), settings, LEASE)) {
            assertThat(ask(store.read("any"))).isInstanceOf(Read.class);
            database.execute("drop table dropped");
            assertThat(problem(store).action()).contains("the table dropped does not exist");
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> ask(store.read("any")) instanceof Read);
        }
    }

    @Test
    void another_table_has_other_elections() {
        JdbcTable table = new JdbcTable(null, "election_of_another");
        try (JdbcRecordStore store =
                new JdbcRecordStore(database.access(), new JdbcSettings(table, TableCreation.ALWAYS, null, 5), LEASE)) {
            ask(records.replace("shared", null, "1"));
            assertThat(((Read) ask(store.read("shared"))).stored()).isNull();
            assertThat(ask(store.replace("shared", null, "2"))).isInstanceOf(Written.class);
        }
    }

    @Test
    void a_store_that_is_closed_answers() {
        JdbcRecordStore store = new JdbcRecordStore(database.access(), SETTINGS, LEASE);
        ask(store.read("any"));
        store.close();
        assertThat(problem(store).problem()).isEqualTo(StoreProblem.UNREACHABLE);
    }

    static NoAnswer problem(RecordStore store) {
        ReadOutcome outcome = ask(store.read("any"));
        assertThat(outcome).isInstanceOf(Failed.class);
        return ((Failed) outcome).answer();
    }
}
