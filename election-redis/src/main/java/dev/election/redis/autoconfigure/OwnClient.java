package dev.election.redis.autoconfigure;

import dev.election.autoconfigure.store.MissingStore;
import dev.election.redis.client.RedisAccess;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientConfigurationBuilderCustomizer;
import org.springframework.boot.data.redis.autoconfigure.LettuceClientOptionsBuilderCustomizer;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration.LettuceClientConfigurationBuilder;

/**
 * A separate Lettuce client for the elections of an application that uses another client. The servers come from the connection factory if
 * it is one of Jedis, and else from Spring Boot, as do the TLS settings.
 */
final class OwnClient {

    private static final Logger log = LoggerFactory.getLogger(OwnClient.class);

    private final RedisConnectionFactory application;
    private final ListableBeanFactory beans;
    private final Environment environment;
    private final @Nullable DataRedisConnectionDetails details;

    OwnClient(RedisConnectionFactory application, ListableBeanFactory beans, Environment environment) {
        this.application = application;
        this.beans = beans;
        this.environment = environment;
        this.details = beans.getBeanProvider(DataRedisConnectionDetails.class).getIfUnique();
    }

    RedisAccess access() {
        RedisConfiguration servers = servers();
        RedisAccess access = SpringDataClient.to(servers, client(servers));
        log.info(
                "The elections use a separate Lettuce client for {}, in addition to the {} of the application",
                RedisServers.describe(servers),
                application.getClass().getSimpleName());
        return access;
    }

    private RedisConfiguration servers() {
        return application instanceof JedisConnectionFactory jedis
                ? RedisServers.of(jedis)
                : RedisServers.of(detailsOfOther());
    }

    /** Does not fall back to localhost: where every host runs a Redis, each host would elect its own leader. */
    private DataRedisConnectionDetails detailsOfOther() {
        if (details == null || isByDefault(details)) {
            throw MissingStore.unusable(
                    "The elections can't determine which Redis the connection factory "
                            + application.getClass().getName() + " uses: it is neither of Lettuce nor of Jedis, and"
                            + " no server is set below spring.data.redis",
                    "Set its servers below spring.data.redis (url, host, sentinel or cluster), or define a"
                            + " LettuceConnectionFactory bean and name it in election.redis.connection-factory.");
        }
        return details;
    }

    private boolean isByDefault(DataRedisConnectionDetails found) {
        DataRedisConnectionDetails.Standalone one = found.getStandalone();
        return found.getSentinel() == null
                && found.getCluster() == null
                && one != null
                && one.getHost().equals("localhost")
                && one.getPort() == 6379
                && !environment.containsProperty("spring.data.redis.host")
                && !environment.containsProperty("spring.data.redis.url");
    }

    /** The customizers of the application are applied last, as they are where Spring Boot creates the client. */
    private LettuceClientConfiguration client(RedisConfiguration servers) {
        LettuceClientConfigurationBuilder client = LettuceClientConfiguration.builder();
        ClientOptions.Builder options = RedisConfiguration.isClusterConfiguration(servers)
                ? ClusterClientOptions.builder()
                : ClientOptions.builder();
        if (usesSsl()) {
            client.useSsl();
            SslBundle bundle = details != null ? details.getSslBundle() : null;
            if (bundle != null) {
                options.sslOptions(sslOptions(bundle));
            } else {
                rejectOwnTrust();
            }
        }
        beans.getBeanProvider(LettuceClientOptionsBuilderCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(options));
        client.clientOptions(options.build());
        beans.getBeanProvider(LettuceClientConfigurationBuilderCustomizer.class)
                .orderedStream()
                .forEach(customizer -> customizer.customize(client));
        return client.build();
    }

    private boolean usesSsl() {
        if (application instanceof JedisConnectionFactory jedis) {
            return jedis.isUseSsl();
        }
        return (details != null && details.getSslBundle() != null)
                || environment.getProperty("spring.data.redis.url", "").startsWith("rediss://");
    }

    private static SslOptions sslOptions(SslBundle bundle) {
        SslOptions.Builder ssl = SslOptions.builder()
                .keyManager(bundle.getManagers().getKeyManagerFactory())
                .trustManager(bundle.getManagers().getTrustManagerFactory());
        String[] ciphers = bundle.getOptions().getCiphers();
        if (ciphers != null) {
            ssl.cipherSuites(ciphers);
        }
        String[] protocols = bundle.getOptions().getEnabledProtocols();
        if (protocols != null) {
            ssl.protocols(protocols);
        }
        return ssl.build();
    }

    /** Lettuce can't use a socket factory of Jedis, whose trusted certificates can't be read. */
    private void rejectOwnTrust() {
        if (application instanceof JedisConnectionFactory jedis
                && jedis.getClientConfiguration().getSslSocketFactory().isPresent()) {
            throw MissingStore.unusable(
                    "The JedisConnectionFactory has a custom SSLSocketFactory, which the Lettuce client of the elections"
                            + " can't use",
                    "Name an SSL bundle with the same certificates in spring.data.redis.ssl.bundle, or define a"
                            + " LettuceConnectionFactory bean and name it in election.redis.connection-factory.");
        }
    }
}
