package dev.election.benchmarks;

import dev.election.redis.client.RedisAccess;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * Whose growth is measured. The lease is the same for all. The nodes of a process share threads, but no connection: Redis sees the same as
 * if they were processes.
 */
enum Library {
    /** The elections of this project. */
    ELECTION("this library") {
        @Override
        Opener opener(int redisPort, Duration lease) {
            RedisAccess redis = new SharedThreads().access(redisPort);
            return id -> new ElectionParticipant(id, redis, lease);
        }
    },
    /** A lock of Redisson, which its watchdog renews. */
    REDISSON("Redisson 3.52.0 (`RLock`)") {
        @Override
        Opener opener(int redisPort, Duration lease) {
            EventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
            ExecutorService executor = Executors.newFixedThreadPool(4);
            return id -> {
                Config config = new Config();
                config.setEventLoopGroup(loops);
                config.setExecutor(executor);
                config.setLockWatchdogTimeout(lease.toMillis());
                config.useSingleServer()
                        .setAddress("redis://127.0.0.1:" + redisPort)
                        .setConnectionMinimumIdleSize(1)
                        .setConnectionPoolSize(4)
                        .setSubscriptionConnectionMinimumIdleSize(1)
                        .setSubscriptionConnectionPoolSize(2);
                RedissonClient client = Redisson.create(config);
                return new LockParticipant(client::getLock);
            };
        }
    },
    /** A lock of Spring Integration, which its scheduler renews. */
    REGISTRY("Spring Integration 7.1.0 (`RedisLockRegistry`)") {
        @Override
        Opener opener(int redisPort, Duration lease) {
            ClientResources threads = DefaultClientResources.create();
            ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();
            renewals.setDaemon(true);
            renewals.initialize();
            return id -> {
                LettuceConnectionFactory connections = new LettuceConnectionFactory(
                        new RedisStandaloneConfiguration("127.0.0.1", redisPort),
                        LettuceClientConfiguration.builder()
                                .clientResources(threads)
                                .build());
                connections.afterPropertiesSet();
                connections.start();
                RedisLockRegistry registry = new RedisLockRegistry(connections, "bench", lease);
                registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
                registry.setRenewalTaskScheduler(renewals);
                return new LockParticipant(registry::obtain);
            };
        }
    };

    private final String title;

    Library(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Opens nodes in this process. */
    abstract Opener opener(int redisPort, Duration lease);

    /** Opens a node. */
    interface Opener {
        Participant open(String id);
    }
}
