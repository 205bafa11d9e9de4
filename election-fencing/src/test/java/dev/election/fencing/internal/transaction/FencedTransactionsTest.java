package dev.election.fencing.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.election.FencingToken;
import dev.election.fencing.StaleLeaderException;
import dev.election.fencing.internal.table.FenceTable;
import dev.election.fencing.internal.table.RaiseOutcome;
import dev.election.fencing.internal.transaction.FencingNode.Work;
import dev.election.testing.RealTime;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Two nodes that write to one database, on every database that is at hand: H2, the PostgreSQL that comes with the build, and the server that
 * {@code -Delection.test.jdbc=jdbc:mariadb://...} names. What is not at hand is not in the list, so nothing is ever skipped.
 *
 * <p>The node that is replaced is never told: it takes itself for the leader all the time, unless a test says otherwise.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("databases")
@RealTime
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FencedTransactionsTest {

    private static final int TRIES = Integer.getInteger("election.test.tries", 200);

    @Parameter
    Supplier<FencingDatabase> opened;

    private FencingDatabase database;
    private ExecutorService threads;
    private FencingNode old;
    private FencingNode next;

    static Stream<Named<Supplier<FencingDatabase>>> databases() {
        List<Named<Supplier<FencingDatabase>>> databases = new ArrayList<>();
        databases.add(Named.of("H2", FencingDatabase::h2));
        databases.add(Named.of("PostgreSQL", FencingDatabase::postgres));
        String external = System.getProperty("election.test.jdbc", "");
        if (!external.isBlank()) {
            databases.add(Named.of("the server of election.test.jdbc", () -> FencingDatabase.at(external)));
        }
        return databases.stream();
    }

    @BeforeParameterizedClassInvocation
    void open() {
        database = opened.get();
        Accounts.createTables(database);
    }

    @AfterParameterizedClassInvocation
    void closeDatabase() throws Exception {
        database.close();
    }

    @BeforeEach
    void start() {
        threads = Executors.newCachedThreadPool();
        Map<String, String> settings = Map.of("election.fencing.jdbc.lock-timeout", "20s");
        old = new FencingNode(database.pool(), settings, Accounts.class);
        next = new FencingNode(database.pool(), settings, Accounts.class);
        database.jdbc().update("delete from election_fence");
        database.jdbc().update("delete from journal");
        database.jdbc().update("update account set balance = 0");
    }

    @AfterEach
    void stop() {
        threads.shutdownNow();
        old.close();
        next.close();
    }

    @Test
    void
            a_leader_that_was_stopped_never_commits_after_its_successor_which_does_not_wait_and_without_a_fence_updates_are_lost()
                    throws Exception {
        int lost = 0;
        int refused = 0;
        for (int i = 0; i < TRIES; i++) {
            database.jdbc().update("update account set balance = 0");
            if (replaced(2 * i + 1, Accounts::add) instanceof StaleLeaderException) {
                refused++;
            }
            assertThat(balance()).as("after try %s", i).isEqualTo(10);
        }
        for (int i = TRIES; i < 2 * TRIES; i++) {
            database.jdbc().update("update account set balance = 0");
            assertThat(replaced(2 * i + 1, Accounts::addUnfenced)).isNull();
            lost += balance() == 1 ? 1 : 0;
        }
        assertThat(refused).as("commits refused").isEqualTo(TRIES);
        assertThat(lost).as("updates lost without a fence").isEqualTo(TRIES);
    }

    /** The failure of the old leader, which is stopped in its transaction while the next one does all of its own. */
    private @Nullable Throwable replaced(long token, Writer writer) throws Exception {
        Stop stop = new Stop();
        old.lead(token);
        Future<?> work = start(() -> writer.write(old.bean(Accounts.class), 1, stop));
        stop.awaitReached();
        next.lead(token + 1).work(() -> writer.write(next.bean(Accounts.class), 10, () -> {}));
        stop.goOn();
        return failureOf(work);
    }

    private interface Writer {
        void write(Accounts accounts, int amount, Runnable between);
    }

    @Test
    void the_row_is_raised_before_the_work_begins_and_says_whose_it_is() throws Exception {
        old.lead(5).work(() -> accounts(old).add(1, () -> {
            assertThat(database.jdbc()
                            .queryForMap("select election, token from election_fence where resource = 'accounts'")
                            .values())
                    .containsExactlyInAnyOrder("default", 5L);
        }));
        assertThat(balance()).isEqualTo(1);
    }

    @Test
    void in_a_partition_the_resource_is_one_of_the_partition_but_not_in_other_work_that_it_begins() throws Exception {
        List<Work> inside = List.of(() -> accounts(old).add(1, () -> {}), () -> old.lead(7)
                .work(() -> accounts(old).add(1, () -> {})));
        for (Work each : inside) {
            old.inPartition("orders", 3, 9, each);
            old.inPartition("orders", 11, 2, each);
        }
        assertThat(database.jdbc()
                        .queryForList(
                                "select resource || ' ' || election || ' ' || token from election_fence", String.class))
                .containsExactlyInAnyOrder(
                        "accounts@orders.3 orders.3 9", "accounts@orders.11 orders.11 2", "accounts default 7");
        assertThat(balance()).isEqualTo(4);

        next.inPartition("orders", 3, 10, () -> accounts(next).add(1, () -> {}));
        assertThatThrownBy(() ->
                        old.inPartition("orders", 3, 9, () -> accounts(old).add(1, () -> {})))
                .isInstanceOf(StaleLeaderException.class)
                .hasMessageContaining("accounts@orders.3");
        assertThat(balance()).isEqualTo(5);
    }

    @Test
    void no_rule_of_the_transaction_keeps_a_stale_one_from_being_rolled_back() throws Exception {
        assertThat(replaced(5, Accounts::addWithoutRollback))
                .isInstanceOfSatisfying(StaleLeaderException.class, stale -> {
                    assertThat(stale.getResource()).isEqualTo("accounts");
                    assertThat(stale.getToken()).isEqualTo(new FencingToken(5));
                    assertThat(stale.getNewerToken()).contains(new FencingToken(6));
                    assertThat(stale)
                            .hasMessageContaining(
                                    "A newer leader with token 6 has begun to write the resource 'accounts'");
                });
        assertThat(balance()).isEqualTo(10);
    }

    @Test
    void a_stale_leader_begins_no_transaction_any_more_whether_it_has_raised_the_row_before_or_not() throws Exception {
        old.lead(5).work(() -> accounts(old).add(1, () -> {}));
        next.lead(6).work(() -> accounts(next).add(1, () -> {}));
        assertThatThrownBy(() -> old.work(() -> accounts(old).add(1, () -> {})))
                .isInstanceOf(StaleLeaderException.class);
        assertThatThrownBy(() -> old.lead(4).work(() -> accounts(old).add(1, () -> {})))
                .isInstanceOf(StaleLeaderException.class);
        assertThat(balance()).isEqualTo(2);
        try (FencingNode third = new FencingNode(database.pool(), Accounts.class)) {
            assertThatThrownBy(() -> third.lead(3).work(() -> accounts(third).add(1, () -> {})))
                    .isInstanceOf(StaleLeaderException.class);
        }
        assertThat(balance()).isEqualTo(2);
    }

    @Test
    void what_was_checked_is_committed_before_a_newer_leader_begins_which_waits_for_a_limited_time() throws Exception {
        Stop stop = new Stop();
        old.lead(5);
        Future<?> work = start(() -> accounts(old).addAndStopInCommit(1, stop));
        stop.awaitReached();
        next.lead(6);
        Map<String, String> briefly = Map.of("election.fencing.jdbc.lock-timeout", "1s");
        try (FencingNode impatient = new FencingNode(database.pool(), briefly, Accounts.class)) {
            impatient.lead(6);
            assertThatThrownBy(() -> impatient.work(() -> accounts(impatient).add(10, () -> {})))
                    .isInstanceOf(PessimisticLockingFailureException.class)
                    .hasMessageContaining("has held the row of the resource in election_fence for too long");
        }
        stop.goOn();
        assertThat(failureOf(work)).isNull();
        next.work(() -> accounts(next).add(10, () -> {}));
        assertThat(balance()).isEqualTo(11);
    }

    @Test
    void a_fenced_call_that_joins_in_a_callback_of_the_commit_is_checked() throws Exception {
        old.lead(5).work(() -> accounts(old).add(0, () -> {}));
        assertThat(replaced(5, Accounts::addInCallbackOfCommit)).isInstanceOf(StaleLeaderException.class);
        assertThat(balance()).isEqualTo(10);
    }

    @Test
    void a_new_transaction_within_a_fenced_one_is_fenced_by_itself() throws Exception {
        Stop stop = new Stop();
        old.lead(5);
        Future<?> work = start(() -> accounts(old).addAndNoteInNewTransaction(1, () -> {}, stop));
        stop.awaitReached();
        next.lead(6).work(() -> accounts(next).add(10, () -> {}));
        stop.goOn();
        assertThat(failureOf(work)).isInstanceOf(StaleLeaderException.class);
        assertThat(balance()).isEqualTo(10);
        assertThat(journal()).containsExactly("new");
    }

    @Test
    void a_new_transaction_of_a_stale_leader_within_a_fenced_one_fails_with_both() throws Exception {
        old.lead(5).work(() -> accounts(old).noteInNewTransaction("before"));
        Stop stop = new Stop();
        Future<?> work = start(() -> accounts(old).addAndNoteInNewTransaction(1, stop, () -> {}));
        stop.awaitReached();
        next.lead(6).work(() -> accounts(next).noteInNewTransaction("next"));
        stop.goOn();
        assertThat(failureOf(work)).isInstanceOf(StaleLeaderException.class);
        assertThat(balance()).isZero();
        assertThat(journal()).containsExactlyInAnyOrder("before", "next");
    }

    @Test
    void a_nested_call_fences_the_whole_transaction() throws Exception {
        assertThat(replaced(5, Accounts::addNested)).isInstanceOf(StaleLeaderException.class);
        assertThat(balance()).isEqualTo(10);
        assertThat(journal()).containsExactly("outer");
    }

    @Test
    void a_nested_call_that_is_undone_leaves_the_transaction_fenced() throws Exception {
        old.lead(5).work(() -> accounts(old).addNestedInVain(() -> {}));
        assertThat(journal()).containsExactly("outer");
        assertThat(balance()).isZero();

        assertThat(replaced(6, (accounts, amount, between) -> accounts.addNestedInVain(between)))
                .isInstanceOf(StaleLeaderException.class);
        assertThat(journal()).containsExactly("outer", "outer");
    }

    @Test
    void eight_threads_that_use_two_resources_crosswise_never_wait_for_each_other_in_a_circle() throws Exception {
        int calls = 25;
        old.lead(5);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            boolean left = thread % 2 == 0;
            running.add(start(() -> {
                for (int i = 0; i < calls; i++) {
                    if (left) {
                        accounts(old).leftFirst("entry");
                    } else {
                        accounts(old).rightFirst("entry");
                    }
                }
            }));
        }
        for (Future<?> each : running) {
            assertThat(failureOf(each)).isNull();
        }
        assertThat(journal()).hasSize(8 * calls);
    }

    @Test
    void eight_threads_write_under_repeatable_read() throws Exception {
        old.lead(5);
        List<Future<?>> running = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            running.add(start(() -> {
                for (int i = 0; i < 10; i++) {
                    accounts(old).noteRepeatably("entry", () -> {});
                }
            }));
        }
        for (Future<?> each : running) {
            assertThat(failureOf(each)).isNull();
        }
        assertThat(journal()).hasSize(80);
    }

    @Test
    void a_stale_leader_commits_nothing_under_repeatable_read_and_serializable() throws Exception {
        old.lead(1).work(() -> accounts(old).noteRepeatably("old", () -> {}));
        old.work(() -> accounts(old).noteSerializably("old", () -> {}));
        assertThat(journal()).hasSize(2);
        long token = 5;
        for (Writer writer : isolated()) {
            database.jdbc().update("delete from journal");
            token += 10;
            assertThat(replaced(token, writer))
                    .isInstanceOfAny(StaleLeaderException.class, ConcurrencyFailureException.class);
            assertThat(journal()).containsExactly("10");
        }
    }

    @Test
    void a_serialization_failure_of_the_check_is_a_stale_leader_where_its_leadership_is_known_to_have_ended()
            throws Exception {
        long token = 5;
        for (Writer writer : isolated()) {
            database.jdbc().update("delete from journal");
            token += 10;
            Writer ending = (accounts, amount, between) -> writer.write(accounts, amount, () -> {
                between.run();
                if (amount == 1) {
                    old.election().follow();
                }
            });
            assertThat(replaced(token, ending)).isInstanceOf(StaleLeaderException.class);
            assertThat(journal()).containsExactly("10");
        }
    }

    private static List<Writer> isolated() {
        return List.of(
                (accounts, amount, between) -> accounts.noteRepeatably("" + amount, between),
                (accounts, amount, between) -> accounts.noteSerializably("" + amount, between));
    }

    @Test
    void a_transaction_that_goes_on_under_a_newer_token_of_its_own_node_is_stale() throws Exception {
        old.lead(5);
        TransactionTemplate transaction = new TransactionTemplate(old.bean(PlatformTransactionManager.class));
        assertThatThrownBy(() -> transaction.executeWithoutResult(status -> {
                    under(5, () -> accounts(old).add(1, () -> {}));
                    under(6, () -> accounts(old).add(1, () -> {}));
                }))
                .isInstanceOfSatisfying(StaleLeaderException.class, stale -> assertThat(stale.getToken())
                        .isEqualTo(new FencingToken(5)));
        assertThat(balance()).isZero();
    }

    private void under(long token, Work work) {
        try {
            old.lead(token).work(work);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_resource_of_another_election_is_refused() throws Exception {
        old.lead(5).work(() -> accounts(old).add(1, () -> {}));
        database.jdbc().update("update election_fence set election = 'other'");
        assertThatThrownBy(() -> next.lead(6).work(() -> accounts(next).add(1, () -> {})))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to the election 'other'");
        assertThatThrownBy(() -> old.work(() -> accounts(old).add(1, () -> {})))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("belongs to the election 'other'");
        assertThat(token()).isEqualTo(5);
        assertThat(balance()).isEqualTo(1);
    }

    @Test
    void a_row_that_only_receivers_of_tokens_have_raised_is_adopted() throws Exception {
        FenceTable table = new FenceTable(database::pool, Duration.ofSeconds(1));
        assertThat(table.raise("accounts", null, new FencingToken(5))).isEqualTo(new RaiseOutcome.Raised());
        old.lead(5).work(() -> accounts(old).add(1, () -> {}));
        assertThat(database.jdbc().queryForObject("select election from election_fence", String.class))
                .isEqualTo("default");
        assertThat(table.raise("accounts", null, new FencingToken(4)))
                .isEqualTo(new RaiseOutcome.Newer(new FencingToken(5)));
        assertThat(table.raise("accounts", null, new FencingToken(7))).isEqualTo(new RaiseOutcome.Raised());
        assertThat(table.raise("accounts", "other", new FencingToken(8)))
                .isEqualTo(new RaiseOutcome.OfOtherElection("default"));
        assertThatThrownBy(() -> old.work(() -> accounts(old).add(1, () -> {})))
                .isInstanceOf(StaleLeaderException.class);
    }

    @Test
    void many_nodes_that_raise_at_the_same_time_leave_the_newest_token() throws Exception {
        List<CompletableFuture<RaiseOutcome>> raises = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
            FencingToken token = new FencingToken(i);
            FenceTable table = new FenceTable(database::pool, Duration.ofSeconds(5));
            raises.add(CompletableFuture.supplyAsync(() -> table.raise("race", "default", token), threads));
        }
        for (CompletableFuture<RaiseOutcome> raise : raises) {
            assertThat(raise.get(20, TimeUnit.SECONDS)).isNotNull();
        }
        assertThat(token()).isEqualTo(8);
    }

    @Test
    void a_database_that_has_lost_commits_rolls_back_once_and_is_raised_again() throws Exception {
        for (String loss : List.of("delete from election_fence", "update election_fence set token = 3")) {
            database.jdbc().update("update account set balance = 0");
            old.lead(5).work(() -> accounts(old).add(1, () -> {}));
            database.jdbc().update(loss);
            assertThatThrownBy(() -> old.work(() -> accounts(old).add(1, () -> {})))
                    .isInstanceOf(ConcurrencyFailureException.class)
                    .hasMessageContaining("the database has lost commits");
            assertThat(balance()).isEqualTo(1);
            old.work(() -> accounts(old).add(1, () -> {}));
            assertThat(balance()).isEqualTo(2);
            assertThat(token()).isEqualTo(5);
        }
    }

    @Test
    void a_leader_whose_leadership_has_ended_raises_nothing() throws Exception {
        old.lead(5);
        assertThatThrownBy(() -> old.work(() -> {
                    old.election().follow();
                    accounts(old).add(1, () -> {});
                }))
                .isInstanceOf(StaleLeaderException.class)
                .hasMessageContaining("The leadership with token 5 has ended");
        assertThat(database.jdbc().queryForList("select * from election_fence")).isEmpty();
    }

    @Test
    void a_missing_table_is_named_with_what_to_do() throws Exception {
        try {
            database.jdbc().execute("alter table election_fence rename to election_fence_away");
            assertThatThrownBy(() -> old.lead(5).work(() -> accounts(old).add(1, () -> {})))
                    .hasMessageContaining("the table election_fence does not exist")
                    .hasMessageContaining("initialize-schema=always");
        } finally {
            database.jdbc().execute("alter table election_fence_away rename to election_fence");
        }
        old.work(() -> accounts(old).add(1, () -> {}));
    }

    @Test
    void nothing_of_it_is_left_in_a_connection_of_the_pool() throws Exception {
        old.lead(5).work(() -> accounts(old).add(1, () -> {}));
        try (var connection = database.pool().getConnection();
                var statement = connection.createStatement()) {
            assertThat(connection.getAutoCommit()).isTrue();
            assertThat(statement.getQueryTimeout()).isZero();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Future<?> start(Work work) {
        return threads.submit(() -> {
            old.work(work);
            return true;
        });
    }

    private static @Nullable Throwable failureOf(Future<?> work) {
        Throwable failure = catchThrowable(() -> work.get(30, TimeUnit.SECONDS));
        return failure instanceof ExecutionException ? failure.getCause() : failure;
    }

    private static Accounts accounts(FencingNode node) {
        return node.bean(Accounts.class);
    }

    private int balance() {
        return database.jdbc().queryForObject("select balance from account where id = 1", Integer.class);
    }

    private long token() {
        return database.jdbc().queryForObject("select token from election_fence", Long.class);
    }

    private List<String> journal() {
        return database.jdbc().queryForList("select entry from journal", String.class);
    }
}
