package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ElectionConfigurationException;
import dev.election.Timing;
import dev.election.jobs.OnceRunner;
import dev.election.jobs.RunOnceContract;
import dev.election.store.LeaseStore;
import dev.election.testing.Opened;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tasks that run once, in one database. */
abstract class RunOnceOnDatabaseContract extends RunOnceContract {

    private static final JdbcSettings SETTINGS =
            new JdbcSettings(JdbcTable.DEFAULT, TableCreation.ALWAYS, Duration.ofMillis(200), 5);

    abstract TestDatabase database();

    @Test
    void a_task_that_would_make_the_table_of_its_own_election_fails_at_once() {
        JdbcSettings settings =
                new JdbcSettings(new JdbcTable(null, "absent"), TableCreation.NEVER, Duration.ofSeconds(1), 5);
        try (JdbcLeaseStore store = JdbcLeaseStore.open(database().access(), lease(), settings)) {
            OnceRunner once = OnceRunner.over(store).timing(Timing.ofLease(lease()));
            assertThatThrownBy(() -> once.run("schema", work -> database().execute("create table absent (id int)")))
                    .isInstanceOf(ElectionConfigurationException.class)
                    .hasMessageContainingAll("schema", "absent", "META-INF/election/jdbc/schema-", "=always");
        }
    }

    @Override
    protected LeaseStore open(Opened opened) {
        return opened.add(JdbcLeaseStore.open(database().access(), lease(), SETTINGS));
    }

    @Override
    protected Duration lease() {
        return Duration.ofSeconds(3);
    }
}
