package dev.election.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A database in this process. Its standby is a backup of the rows. */
final class H2Database implements TestDatabase {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1";
    private List<List<@Nullable String>> backup = List.of();

    @Override
    public String url() {
        return url;
    }

    @Override
    public String user() {
        return "sa";
    }

    @Override
    public void detachStandby() {
        backup = backup();
    }

    @Override
    public void promoteStandby() {
        execute("shutdown");
        try (JdbcLeaseStore store = JdbcLeaseStore.open(access(), Duration.ofSeconds(15))) {
            // Creates the table.
            store.read("any").toCompletableFuture().join();
        }
        restore(backup);
    }

    @Override
    public void close() {
        execute("shutdown");
    }
}
