package dev.election.redis.autoconfigure;

import dev.election.redis.client.ClientSettings;
import dev.election.redis.client.OpenedClient;
import dev.election.redis.client.RedisAccess;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConverters;

/** A client as Spring Data would create it for the application, but with the threads and timeouts of the store. */
public final class SpringDataClient {

    private SpringDataClient() {}

    /**
     * A client with the servers, credentials and TLS settings of the factory.
     *
     * @throws IllegalArgumentException if the factory does not expose its servers, or has a fixed list of a primary and replicas
     */
    public static RedisAccess like(LettuceConnectionFactory application) {
        return to(configuration(application), application.getClientConfiguration());
    }

    /**
     * A client for those servers with those settings, except threads, timeouts and reads from replicas.
     *
     * @param servers a server, the Sentinels that know the primary, or nodes of a Cluster
     * @param client credentials, TLS settings and whatever else a client of the application would have
     * @throws IllegalArgumentException if the servers are a fixed list of a primary and replicas
     */
    public static RedisAccess to(RedisConfiguration servers, LettuceClientConfiguration client) {
        if (RedisConfiguration.isStaticMasterReplicaConfiguration(servers)) {
            throw FixedPrimary.refusal();
        }
        return RedisAccess.by(RedisServers.describe(servers), settings -> open(servers, client, settings));
    }

    private static OpenedClient open(
            RedisConfiguration servers, LettuceClientConfiguration client, ClientSettings settings) {
        ClientOptions common = client.getClientOptions().orElseGet(ClientOptions::create);
        ClientOptions options = settings.options(
                RedisConfiguration.isClusterConfiguration(servers) && !(common instanceof ClusterClientOptions)
                        ? ClusterClientOptions.builder(common).build()
                        : common,
                servers instanceof RedisConfiguration.DomainSocketConfiguration);
        LettuceConnectionFactory own =
                new LettuceConnectionFactory(servers, new DedicatedClientConfiguration(client, settings, options));
        own.setShareNativeConnection(false);
        own.afterPropertiesSet();
        own.start();
        return new OpenedClient(own.getRequiredNativeClient(), own.getDatabase(), sentinels(own), own::destroy);
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

    /** A factory that was created from another RedisConfiguration exposes default values here, which may be another server. */
    private static RedisConfiguration standalone(LettuceConnectionFactory factory) {
        RedisStandaloneConfiguration shown = factory.getStandaloneConfiguration();
        boolean isTrue = shown.getHostName().equals(factory.getHostName())
                && shown.getPort() == factory.getPort()
                && shown.getDatabase() == factory.getDatabase();
        if (!isTrue) {
            throw new IllegalArgumentException("The connection factory for " + factory.getHostName() + ":"
                    + factory.getPort() + " does not expose its configuration: create it with"
                    + " new LettuceConnectionFactory(RedisStandaloneConfiguration, LettuceClientConfiguration)");
        }
        return shown;
    }

    /** Returns the Sentinels with the settings by which the factory would connect to them. */
    private static @Nullable RedisURI sentinels(LettuceConnectionFactory factory) {
        RedisSentinelConfiguration configuration = factory.getSentinelConfiguration();
        if (configuration == null) {
            return null;
        }
        RedisURI primary = LettuceConverters.sentinelConfigurationToRedisURI(configuration);
        LettuceClientConfiguration client = factory.getClientConfiguration();
        applyTo(primary, client);
        primary.getSentinels().forEach(sentinel -> applyTo(sentinel, client));
        primary.setDatabase(factory.getDatabase());
        client.getRedisCredentialsProviderFactory().ifPresent(logins -> {
            RedisCredentialsProvider login = logins.createCredentialsProvider(configuration);
            if (login != null) {
                primary.setCredentialsProvider(login);
            }
            RedisCredentialsProvider ofSentinels = logins.createSentinelCredentialsProvider(configuration);
            primary.getSentinels().forEach(sentinel -> sentinel.setCredentialsProvider(ofSentinels));
        });
        return primary;
    }

    private static void applyTo(RedisURI uri, LettuceClientConfiguration client) {
        client.getClientName().ifPresent(uri::setClientName);
        uri.setSsl(client.isUseSsl());
        uri.setVerifyPeer(client.getVerifyMode());
        uri.setStartTls(client.isStartTls());
        uri.setTimeout(client.getCommandTimeout());
    }
}
