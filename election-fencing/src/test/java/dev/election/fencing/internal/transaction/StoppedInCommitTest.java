package dev.election.fencing.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.testing.RealTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A leader that is stopped between its check and its commit, on the databases that end such a transaction: the PostgreSQL that comes with the
 * build, and the MariaDB that {@code -Delection.test.jdbc=jdbc:mariadb://...} names.
 */
@RealTime
class StoppedInCommitTest {

    static Stream<Named<Supplier<FencingDatabase>>> databases() {
        List<Named<Supplier<FencingDatabase>>> databases = new ArrayList<>();
        databases.add(Named.of("PostgreSQL", FencingDatabase::postgres));
        String external = System.getProperty("election.test.jdbc", "");
        if (!external.isBlank()) {
            databases.add(Named.of("the server of election.test.jdbc", () -> FencingDatabase.at(external)));
        }
        return databases.stream();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void the_database_ends_a_transaction_that_was_stopped_within_its_commit_and_the_successor_goes_on(
            Supplier<FencingDatabase> opened) throws Exception {
        Map<String, String> settings = Map.of("election.fencing.jdbc.lock-timeout", "20s");
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (FencingDatabase database = opened.get()) {
            Accounts.createTables(database);
            try (FencingNode old = new FencingNode(database.pool(), settings, Accounts.class);
                    FencingNode next = new FencingNode(database.pool(), settings, Accounts.class)) {
                Stop stop = new Stop();
                old.lead(5);
                Future<?> work = thread.submit(() -> {
                    old.work(() -> old.bean(Accounts.class).addAndStopInCommit(1, () -> {
                        database.endIdleTransaction();
                        stop.run();
                    }));
                    return true;
                });
                stop.awaitReached();
                next.lead(6).work(() -> next.bean(Accounts.class).add(10, () -> {}));
                stop.goOn();
                assertThatThrownBy(() -> work.get(30, TimeUnit.SECONDS)).isNotNull();
                assertThat(database.jdbc().queryForObject("select balance from account", Integer.class))
                        .isEqualTo(10);
            }
        } finally {
            thread.shutdownNow();
        }
    }
}
