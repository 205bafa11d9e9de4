package dev.election.benchmarks;

import dev.election.harness.Children;
import dev.election.harness.PostgresServer;
import dev.election.harness.TemporaryFolders;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A PostgreSQL with a database for each library and lease, and a Redis for each lease. */
final class DatabaseServers {

    private final PostgresServer postgres;
    private final StatementCount statements;
    private final Map<Duration, ObservedRedis> redis = new HashMap<>();
    private CommandCount begun = CommandCount.NONE;

    DatabaseServers(Children children, List<Duration> leases) throws IOException, SQLException {
        postgres =
                new PostgresServer(children, TemporaryFolders.create("election-benchmarks-"), StatementCount.OPTIONS);
        statements = new StatementCount(postgres);
        for (Duration lease : leases) {
            redis.put(lease, ObservedRedis.start(TemporaryFolders.create("election-benchmarks-"), children));
            for (DatabaseLibrary library : DatabaseLibrary.values()) {
                if (library != DatabaseLibrary.REDIS) {
                    library.create(postgres, lease);
                }
            }
        }
    }

    int port(DatabaseLibrary library, Duration lease) {
        return library == DatabaseLibrary.REDIS ? redisOf(lease).port() : postgres.port();
    }

    /** Counts from now on the requests to the Redis of that lease, and all statements. */
    void beginToCount(Duration lease) throws IOException {
        begun = redisOf(lease).observe(CommandCount::ofAll);
        statements.begin();
    }

    /** How many statements of each library there were since with that lease, or requests over Redis. */
    Map<DatabaseLibrary, Long> endCount(Duration lease) throws IOException {
        CommandCount commands = redisOf(lease).observe(CommandCount::ofAll).since(begun);
        String log = statements.end();
        Map<DatabaseLibrary, Long> counts = new EnumMap<>(DatabaseLibrary.class);
        for (DatabaseLibrary library : DatabaseLibrary.values()) {
            counts.put(
                    library,
                    library == DatabaseLibrary.REDIS
                            ? requests(commands)
                            : StatementCount.in(log, library.database(lease)));
        }
        return counts;
    }

    private static long requests(CommandCount commands) {
        Map<String, Long> sent = commands.without(CommandCount.calledByOurScripts());
        // The connection that counts says who it is.
        sent.keySet().removeAll(List.of("HELLO", "CLIENT", "CLIENT|SETNAME", "CLIENT|SETINFO"));
        return sent.values().stream().mapToLong(Long::longValue).sum();
    }

    private ObservedRedis redisOf(Duration lease) {
        ObservedRedis server = redis.get(lease);
        if (server == null) {
            throw new IllegalArgumentException("No Redis for a lease of " + lease);
        }
        return server;
    }
}
