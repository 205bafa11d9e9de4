package dev.election.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;

/** How to reach Redis. Whatever is shared with the application is its settings only, never a connection or a thread. */
public final class RedisAccess {

    private static final KeepAliveOptions KEEP_ALIVE = KeepAliveOptions.builder()
            .enable()
            .idle(Duration.ofSeconds(10))
            .interval(Duration.ofSeconds(5))
            .count(3)
            .build();

    private final Opener opener;

    private RedisAccess(Opener opener) {
        this.opener = opener;
    }

    /** One server, or the Sentinels that know the primary: both can be said in a URI. */
    public static RedisAccess at(RedisURI uri) {
        return new RedisAccess((resources, limits) -> {
            RedisURI own = ownCopy(uri, limits.connect());
            RedisClient client = RedisClient.create(resources, own);
            client.setOptions(options(ClientOptions.create(), limits, uri.getSocket() != null));
            return new Opened(client, uri.getDatabase(), Sentinels.of(own), () -> shutdown(client));
        });
    }

    /** A Cluster, of which these nodes are asked for the others. */
    public static RedisAccess toCluster(Collection<RedisURI> nodes) {
        List<RedisURI> copy = List.copyOf(nodes);
        return new RedisAccess((resources, limits) -> {
            RedisClusterClient client = RedisClusterClient.create(
                    resources,
                    copy.stream().map(node -> ownCopy(node, limits.connect())).toList());
            client.setOptions((ClusterClientOptions) options(ClusterClientOptions.create(), limits, false));
            return new Opened(client, 0, Sentinels.NONE, () -> shutdown(client));
        });
    }

    /**
     * As the application does it: the same servers, credentials and TLS settings.
     *
     * @throws IllegalArgumentException if the factory does not tell where the servers are, or only where they were once
     */
    public static RedisAccess like(LettuceConnectionFactory application) {
        return to(configuration(application), application.getClientConfiguration());
    }

    /**
     * Those servers, with those client settings, but for threads, timeouts and reads from replicas.
     *
     * @param servers a server, the Sentinels that know the primary, or nodes of a Cluster
     * @param client credentials, TLS settings and whatever else a client of the application would have
     * @throws IllegalArgumentException if the servers are a fixed list of a primary and replicas
     */
    public static RedisAccess to(RedisConfiguration servers, LettuceClientConfiguration client) {
        if (RedisConfiguration.isStaticMasterReplicaConfiguration(servers)) {
            throw FixedPrimary.refusal();
        }
        return new RedisAccess((resources, limits) -> {
            ClientOptions common = client.getClientOptions().orElseGet(ClientOptions::create);
            ClientOptions options = options(
                    RedisConfiguration.isClusterConfiguration(servers) && !(common instanceof ClusterClientOptions)
                            ? ClusterClientOptions.builder(common).build()
                            : common,
                    limits,
                    servers instanceof RedisConfiguration.DomainSocketConfiguration);
            LettuceConnectionFactory own = new LettuceConnectionFactory(
                    servers, new DedicatedClientConfiguration(client, resources, options, limits.connect()));
            own.setShareNativeConnection(false);
            own.afterPropertiesSet();
            own.start();
            return new Opened(own.getRequiredNativeClient(), own.getDatabase(), sentinels(own), own::destroy);
        });
    }

    Opened open(ClientResources resources, Limits limits) {
        return opener.open(resources, limits);
    }

    private static ClientOptions options(ClientOptions common, Limits limits, boolean isUnixSocket) {
        ClientOptions.Builder builder = common.mutate()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(limits.request()))
                .socketOptions(socketOptions(common.getSocketOptions(), limits.connect(), isUnixSocket));
        if (builder instanceof ClusterClientOptions.Builder cluster) {
            return cluster.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                            .build())
                    .build();
        }
        return builder.build();
    }

    /** On a Unix socket nobody can be away without the system knowing of it, and its options of TCP would be warned of. */
    private static SocketOptions socketOptions(SocketOptions common, Duration timeout, boolean isUnixSocket) {
        SocketOptions.Builder builder = common.mutate().connectTimeout(timeout);
        return isUnixSocket
                ? builder.keepAlive(false).build()
                : builder.tcpNoDelay(true).keepAlive(KEEP_ALIVE).build();
    }

    private static RedisURI ownCopy(RedisURI uri, Duration timeout) {
        RedisURI.Builder builder = RedisURI.builder(uri)
                .withTimeout(timeout)
                .withAuthentication(PatientCredentials.of(uri.getCredentialsProvider()));
        // The client's copy leaves the Sentinels out.
        if (uri.getSentinelMasterId() != null) {
            builder.withSentinelMasterId(uri.getSentinelMasterId());
        }
        uri.getSentinels().forEach(sentinel -> builder.withSentinel(ownCopy(sentinel, timeout)));
        return builder.build();
    }

    private static RedisConfiguration configuration(LettuceConnectionFactory factory) {
        if (FixedPrimary.isBehind(factory)) {
            throw FixedPrimary.refusal();
        }
        if (factory.getClusterConfiguration() != null) {
            return factory.getClusterConfiguration();
        }
        if (factory.getSentinelConfiguration() != null) {
            return factory.getSentinelConfiguration();
        }
        return factory.getSocketConfiguration() != null ? factory.getSocketConfiguration() : standalone(factory);
    }

    /** A factory that was made from a bare RedisConfiguration shows defaults here: they would lead to another server. */
    private static RedisConfiguration standalone(LettuceConnectionFactory factory) {
        RedisStandaloneConfiguration shown = factory.getStandaloneConfiguration();
        boolean isTrue = shown.getHostName().equals(factory.getHostName())
                && shown.getPort() == factory.getPort()
                && shown.getDatabase() == factory.getDatabase();
        if (!isTrue) {
            throw new IllegalArgumentException("The connection factory for " + factory.getHostName() + ":"
                    + factory.getPort() + " hides its configuration: make it with"
                    + " new LettuceConnectionFactory(RedisStandaloneConfiguration, LettuceClientConfiguration)");
        }
        return shown;
    }

    private static Sentinels sentinels(LettuceConnectionFactory factory) {
        RedisSentinelConfiguration configuration = factory.getSentinelConfiguration();
        if (configuration == null) {
            return Sentinels.NONE;
        }
        Sentinels sentinels = Sentinels.of(LettuceConverters.sentinelConfigurationToRedisURI(configuration));
        LettuceClientConfiguration client = factory.getClientConfiguration();
        Optional<RedisCredentialsProvider> login = client.getRedisCredentialsProviderFactory()
                .map(provider -> provider.createSentinelCredentialsProvider(configuration));
        sentinels.nodes().forEach(node -> {
            login.ifPresent(node::setCredentialsProvider);
            node.setSsl(client.isUseSsl());
            node.setVerifyPeer(client.getVerifyMode());
            node.setStartTls(client.isStartTls());
            node.setTimeout(client.getCommandTimeout());
        });
        return sentinels;
    }

    private static void shutdown(AbstractRedisClient client) {
        client.shutdown(0, 1, TimeUnit.SECONDS);
    }

    private interface Opener {
        Opened open(ClientResources resources, Limits limits);
    }

    /**
     * @param connect the longest that an attempt to connect may take; {@link ConnectPatience} sets closer limits
     * @param request how long a reply is waited for
     */
    record Limits(Duration connect, Duration request) {}

    /**
     * @param client what opens connections
     * @param database the number of the database that they use
     * @param sentinels who know the primary, if they do
     * @param close ends it
     */
    record Opened(AbstractRedisClient client, int database, Sentinels sentinels, Runnable close) {}
}
