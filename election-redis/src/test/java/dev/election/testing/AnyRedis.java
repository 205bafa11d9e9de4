package dev.election.testing;

import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.redis.client.RedisAccess;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Redis in any form, for tests that treat it well.
 *
 * @param access how a store reaches it
 * @param hand how the test does; in a Cluster it finds the owner of a key by itself
 * @param end gives back all of it
 */
public record AnyRedis(RedisAccess access, RedisClusterCommands<String, String> hand, Runnable end)
        implements AutoCloseable {

    /** A server, which the end does not touch. */
    public static AnyRedis at(RedisURI uri) {
        return at(uri, () -> {});
    }

    /** A server, and what ends it. */
    public static AnyRedis at(RedisURI uri, Runnable end) {
        RedisClient client = RedisClient.create(uri);
        return new AnyRedis(RedisAccess.at(uri), client.connect().sync(), () -> {
            client.shutdown(0, 1, TimeUnit.SECONDS);
            end.run();
        });
    }

    /** A server of its own. */
    public static AnyRedis embedded(RedisBinary binary) {
        RedisServer server = RedisServer.start(binary);
        return at(server.uri(), server::close);
    }

    /** A Cluster of its own. */
    public static AnyRedis cluster() {
        RedisCluster cluster = RedisCluster.start();
        List<RedisURI> uris = Lettuce.uris(cluster);
        RedisClusterClient client = RedisClusterClient.create(uris);
        return new AnyRedis(RedisAccess.toCluster(uris), client.connect().sync(), () -> {
            client.shutdown(0, 1, TimeUnit.SECONDS);
            cluster.close();
        });
    }

    @Override
    public void close() {
        end.run();
    }
}
