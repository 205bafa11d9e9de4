package dev.election.benchmarks;

import java.time.Duration;
import java.time.Instant;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A Spring context with beans that run under locks of ShedLock, one of which somebody else holds for an hour. */
final class Locked implements AutoCloseable {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    Locked(int redisPort) {
        context.registerBean(
                LettuceConnectionFactory.class, () -> new LettuceConnectionFactory("127.0.0.1", redisPort));
        context.registerBean(
                LockProvider.class, () -> new RedisLockProvider(context.getBean(LettuceConnectionFactory.class)));
        context.register(Locking.class, Job.OfLockHolder.class, Job.OfOtherLockHolder.class);
        context.refresh();
        hold("held", Duration.ofHours(1));
    }

    Job free() {
        return context.getBean(Job.OfLockHolder.class);
    }

    Job held() {
        return context.getBean(Job.OfOtherLockHolder.class);
    }

    @Override
    public void close() {
        context.close();
    }

    private void hold(String lock, Duration time) {
        LockConfiguration configuration = new LockConfiguration(Instant.now(), lock, time, Duration.ZERO);
        if (context.getBean(LockProvider.class).lock(configuration).isEmpty()) {
            throw new IllegalStateException("The lock '" + lock + "' is not free");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "PT30S")
    static class Locking {}
}
