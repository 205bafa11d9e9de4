package dev.election.redis.autoconfigure;

import dev.election.redis.client.ClientSettings;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ReadFrom;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.SslVerifyMode;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.RedisCredentialsProviderFactory;

/** The client settings of the application, except threads, timeouts and reads from replicas, which are unsuitable for leases. */
record DedicatedClientConfiguration(
        LettuceClientConfiguration application, ClientSettings settings, ClientOptions options)
        implements LettuceClientConfiguration {

    @Override
    public boolean isUseSsl() {
        return application.isUseSsl();
    }

    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public boolean isVerifyPeer() {
        return application.isVerifyPeer();
    }

    @Override
    public SslVerifyMode getVerifyMode() {
        return application.getVerifyMode();
    }

    @Override
    public boolean isStartTls() {
        return application.isStartTls();
    }

    @Override
    public Optional<ClientResources> getClientResources() {
        return Optional.of(settings.resources());
    }

    @Override
    public Optional<ClientOptions> getClientOptions() {
        return Optional.of(options);
    }

    @Override
    public Optional<String> getClientName() {
        return application.getClientName();
    }

    @Override
    public Optional<ReadFrom> getReadFrom() {
        return Optional.empty();
    }

    @Override
    public Optional<RedisCredentialsProviderFactory> getRedisCredentialsProviderFactory() {
        return application.getRedisCredentialsProviderFactory().map(this::nonBlocking);
    }

    @Override
    public Duration getCommandTimeout() {
        return settings.connect();
    }

    @Override
    public Duration getShutdownTimeout() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration getShutdownQuietPeriod() {
        return Duration.ZERO;
    }

    private RedisCredentialsProviderFactory nonBlocking(RedisCredentialsProviderFactory factory) {
        return new RedisCredentialsProviderFactory() {
            @Override
            public @Nullable RedisCredentialsProvider createCredentialsProvider(RedisConfiguration configuration) {
                RedisCredentialsProvider provider = factory.createCredentialsProvider(configuration);
                return provider == null ? null : settings.credentials(provider);
            }

            @Override
            public RedisCredentialsProvider createSentinelCredentialsProvider(RedisSentinelConfiguration sentinels) {
                return settings.credentials(factory.createSentinelCredentialsProvider(sentinels));
            }
        };
    }
}
