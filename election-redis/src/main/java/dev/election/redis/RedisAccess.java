package dev.election.redis;

import dev.election.redis.internal.ClientSettings;
import dev.election.redis.internal.OpenedClient;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** How to reach Redis. Whatever is shared with the application is its settings only, never a connection or a thread. */
public final class RedisAccess {

    private final Function<ClientSettings, OpenedClient> opener;

    private RedisAccess(Function<ClientSettings, OpenedClient> opener) {
        this.opener = opener;
    }

    /** One server, or the Sentinels that know the primary: both can be said in a URI. */
    public static RedisAccess at(RedisURI uri) {
        return by(settings -> {
            RedisURI own = ownCopy(uri, settings);
            RedisClient client = RedisClient.create(settings.resources(), own);
            client.setOptions(settings.options(ClientOptions.create(), uri.getSocket() != null));
            return new OpenedClient(client, uri.getDatabase(), own, () -> shutdown(client));
        });
    }

    /** A Cluster, of which these nodes are asked for the others. */
    public static RedisAccess toCluster(Collection<RedisURI> nodes) {
        List<RedisURI> copy = List.copyOf(nodes);
        return by(settings -> {
            RedisClusterClient client = RedisClusterClient.create(
                    settings.resources(),
                    copy.stream().map(node -> ownCopy(node, settings)).toList());
            client.setOptions((ClusterClientOptions) settings.options(ClusterClientOptions.create(), false));
            return new OpenedClient(client, 0, null, () -> shutdown(client));
        });
    }

    /** By a client that somebody else knows how to make, with settings that are the store's. */
    public static RedisAccess by(Function<ClientSettings, OpenedClient> opener) {
        return new RedisAccess(opener);
    }

    public OpenedClient open(ClientSettings settings) {
        return opener.apply(settings);
    }

    private static RedisURI ownCopy(RedisURI uri, ClientSettings settings) {
        Duration timeout = settings.connect();
        RedisURI.Builder builder = RedisURI.builder(uri)
                .withTimeout(timeout)
                .withAuthentication(settings.credentials(uri.getCredentialsProvider()));
        // The client's copy leaves the Sentinels out.
        if (uri.getSentinelMasterId() != null) {
            builder.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> builder.withSentinel(ownCopy(sentinel, settings)));
        RedisURI copy = builder.build();
        // The name of the library is sent after the first answer, and that answer awaited: a round trip more until a
        // lease can be renewed.
        copy.setLibraryName("");
        copy.setLibraryVersion("");
        return copy;
    }

    private static void shutdown(AbstractRedisClient client) {
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }
}
