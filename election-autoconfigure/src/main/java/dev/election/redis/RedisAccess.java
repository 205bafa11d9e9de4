package dev.election.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** How to reach Redis. Whatever is shared with the application is its settings only, never a connection or a thread. */
public final class RedisAccess {

    private final Opener opener;

    private RedisAccess(Opener opener) {
        this.opener = opener;
    }

    /** One server, or the Sentinels that know the primary: both can be said in a URI. */
    public static RedisAccess at(RedisURI uri) {
        return new RedisAccess((resources, timeout) -> {
            RedisClient client = RedisClient.create(resources, withTimeout(uri, timeout));
            client.setOptions(options(ClientOptions.create(), timeout));
            return new Opened(client, () -> shutdown(client));
        });
    }

    /** A Cluster, of which these nodes are asked for the others. */
    public static RedisAccess toCluster(Collection<RedisURI> nodes) {
        List<RedisURI> copy = List.copyOf(nodes);
        return new RedisAccess((resources, timeout) -> {
            RedisClusterClient client = RedisClusterClient.create(
                    resources,
                    copy.stream().map(node -> withTimeout(node, timeout)).toList());
            client.setOptions((ClusterClientOptions) options(ClusterClientOptions.create(), timeout));
            return new Opened(client, () -> shutdown(client));
        });
    }

    /** As the application does it: the same servers, credentials and TLS settings. */
    public static RedisAccess like(LettuceConnectionFactory application) {
        return new RedisAccess((resources, timeout) -> {
            ClientOptions common =
                    application.getClientConfiguration().getClientOptions().orElseGet(ClientOptions::create);
            ClientOptions options = options(
                    application.isClusterAware() && !(common instanceof ClusterClientOptions)
                            ? ClusterClientOptions.builder(common).build()
                            : common,
                    timeout);
            LettuceConnectionFactory own = new LettuceConnectionFactory(
                    configuration(application),
                    new DedicatedClientConfiguration(
                            application.getClientConfiguration(), resources, options, timeout));
            own.setShareNativeConnection(false);
            own.afterPropertiesSet();
            own.start();
            return new Opened(own.getRequiredNativeClient(), own::destroy);
        });
    }

    Opened open(ClientResources resources, Duration timeout) {
        return opener.open(resources, timeout);
    }

    /** Few threads, and none that keeps the process alive. */
    static ClientResources resources() {
        return DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build();
    }

    private static ClientOptions options(ClientOptions common, Duration timeout) {
        ClientOptions.Builder builder = common.mutate()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(timeout))
                .socketOptions(socketOptions(common.getSocketOptions(), timeout));
        if (builder instanceof ClusterClientOptions.Builder cluster) {
            return cluster.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                            .build())
                    .build();
        }
        return builder.build();
    }

    private static SocketOptions socketOptions(SocketOptions common, Duration timeout) {
        return common.mutate()
                .connectTimeout(timeout)
                .tcpNoDelay(true)
                .keepAlive(KeepAliveOptions.builder()
                        .enable()
                        .idle(Duration.ofSeconds(10))
                        .interval(Duration.ofSeconds(5))
                        .count(3)
                        .build())
                .build();
    }

    private static RedisURI withTimeout(RedisURI uri, Duration timeout) {
        RedisURI.Builder builder = RedisURI.builder(uri).withTimeout(timeout);
        // The client's copy leaves the Sentinels out.
        if (uri.getSentinelMasterId() != null) {
            builder.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> builder.withSentinel(withTimeout(sentinel, timeout)));
        return builder.build();
    }

    private static RedisConfiguration configuration(LettuceConnectionFactory factory) {
        if (factory.getClusterConfiguration() != null) {
            return factory.getClusterConfiguration();
        }
        if (factory.getSentinelConfiguration() != null) {
            return factory.getSentinelConfiguration();
        }
        return factory.getSocketConfiguration() != null
                ? factory.getSocketConfiguration()
                : factory.getStandaloneConfiguration();
    }

    private static void shutdown(AbstractRedisClient client) {
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }

    private interface Opener {
        Opened open(ClientResources resources, Duration timeout);
    }

    /**
     * @param client what opens connections
     * @param close ends it
     */
    record Opened(AbstractRedisClient client, Runnable close) {}
}
