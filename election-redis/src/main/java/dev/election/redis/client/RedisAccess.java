package dev.election.redis.client;

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
import java.util.stream.Collectors;

/** Access to a Redis. The store shares the settings of the application but no connection and no thread. */
public final class RedisAccess {

    private final String address;
    private final Function<ClientSettings, OpenedClient> opener;

    private RedisAccess(String address, Function<ClientSettings, OpenedClient> opener) {
        this.address = address;
        this.opener = opener;
    }

    /** Creates access to one server, or through Sentinels to the primary, as a URI names them. */
    public static RedisAccess at(RedisURI uri) {
        return by(address(uri), settings -> {
            RedisURI own = ownCopy(uri, settings);
            RedisClient client = RedisClient.create(settings.resources(), own);
            client.setOptions(settings.options(ClientOptions.create(), uri.getSocket() != null));
            return new OpenedClient(client, uri.getDatabase(), own, () -> shutdown(client));
        });
    }

    /** Creates access to a Cluster with these seed nodes. */
    public static RedisAccess toCluster(Collection<RedisURI> nodes) {
        List<RedisURI> copy = List.copyOf(nodes);
        return by("the Cluster of " + addresses(copy), settings -> {
            RedisClusterClient client = RedisClusterClient.create(
                    settings.resources(),
                    copy.stream().map(node -> ownCopy(node, settings)).toList());
            client.setOptions((ClusterClientOptions) settings.options(ClusterClientOptions.create(), false));
            return new OpenedClient(client, 0, null, () -> shutdown(client));
        });
    }

    /**
     * Creates access by a client that the caller creates with the settings of the store.
     *
     * @param address the servers, as the log shows them
     * @param opener makes the client
     */
    public static RedisAccess by(String address, Function<ClientSettings, OpenedClient> opener) {
        return new RedisAccess(address, opener);
    }

    /** The servers, as the log shows them: without credentials. */
    public String address() {
        return address;
    }

    public OpenedClient open(ClientSettings settings) {
        return opener.apply(settings);
    }

    private static String address(RedisURI uri) {
        if (uri.getSentinelMasterId() != null) {
            return "the primary " + uri.getSentinelMasterId() + " of the Sentinels " + addresses(uri.getSentinels());
        }
        return uri.getSocket() != null ? uri.getSocket() : uri.getHost() + ":" + uri.getPort();
    }

    private static String addresses(Collection<RedisURI> servers) {
        return servers.stream().map(RedisAccess::address).collect(Collectors.joining(", "));
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
