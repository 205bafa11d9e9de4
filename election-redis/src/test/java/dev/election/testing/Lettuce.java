package dev.election.testing;

import dev.election.harness.RedisCluster;
import dev.election.harness.RedisProcess;
import dev.election.harness.SentinelGroup;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** How tests reach the servers of the harness by the client of the store. */
public final class Lettuce {

    private Lettuce() {}

    /** One server, with its password if it wants one. */
    public static RedisURI uri(RedisProcess server) {
        RedisURI uri = RedisURI.create("127.0.0.1", server.port());
        return server.password().isEmpty()
                ? uri
                : RedisURI.builder(uri)
                        .withPassword(server.password().toCharArray())
                        .build();
    }

    /** The primary, by the word of Sentinels that want no password. */
    public static RedisURI uri(SentinelGroup group) {
        return uri(group.sentinels(), group.first().password());
    }

    /** The primary, by the word of those Sentinels. */
    public static RedisURI uri(List<? extends RedisProcess> sentinels, String password) {
        RedisURI.Builder uri =
                RedisURI.Builder.sentinel("127.0.0.1", sentinels.get(0).port(), SentinelGroup.NAME);
        sentinels.stream().skip(1).forEach(sentinel -> uri.withSentinel("127.0.0.1", sentinel.port()));
        return password.isEmpty()
                ? uri.build()
                : uri.withPassword(password.toCharArray()).build();
    }

    /** The primaries of a Cluster, of which one is enough to find the others. */
    public static List<RedisURI> uris(RedisCluster cluster) {
        return cluster.members().stream()
                .limit(cluster.members().size() / 2)
                .map(Lettuce::uri)
                .toList();
    }

    /** Runs commands over a connection that is closed afterwards. */
    public static <T> T call(RedisProcess server, Function<RedisCommands<String, String>, T> commands) {
        return call(uri(server), commands);
    }

    /** The same at that place. */
    public static <T> T call(RedisURI uri, Function<RedisCommands<String, String>, T> commands) {
        RedisClient client = RedisClient.create(uri);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return commands.apply(connection.sync());
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Over how many connections the server of that URI has been talked to. One of them is made to ask. */
    public static long connectionsMade(RedisURI uri) {
        String name = "total_connections_received:";
        return call(uri, commands -> commands.info("stats"))
                .lines()
                .filter(line -> line.startsWith(name))
                .mapToLong(line -> Long.parseLong(line.substring(name.length()).strip()))
                .findFirst()
                .orElseThrow();
    }
}
