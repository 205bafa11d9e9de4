package dev.election.benchmarks;

import java.io.IOException;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.annotation.Scheduled;

/** The application of {@code start} whose job runs under a lock of ShedLock. */
public final class LockStartNode {

    private LockStartNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        StartedNode.run(arguments, Locks.class);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "15s")
    @Import(Job.class)
    static class Locks {

        @Bean
        LockProvider lockProvider(RedisConnectionFactory connections) {
            return new RedisLockProvider(connections);
        }
    }

    /** The job. */
    static class Job {

        @Scheduled(cron = StartedNode.CRON)
        @SchedulerLock(name = "job")
        public void run() {}
    }
}
