package dev.election.benchmarks;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.redis.spring.RedisLockProvider;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.TriggerContext;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.support.CronTrigger;

/** A node process with a job under a lock of ShedLock, which is held for as long as a lease at most. */
public final class LockJobNode {

    private LockJobNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, {@code lockAtMostFor} in ms
     */
    public static void main(String[] arguments) throws IOException {
        new ScheduledNode()
                .run(
                        arguments,
                        Locks.class,
                        List.of("election.enabled=false", "jobs.lock-at-most-for=" + arguments[2] + "ms"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableSchedulerLock(defaultLockAtMostFor = "${jobs.lock-at-most-for}")
    @Import(Job.class)
    static class Locks {

        @Bean
        LockProvider lockProvider(RedisConnectionFactory connections) {
            return new RedisLockProvider(connections);
        }

        /** The library does not tell the slot, so it is taken from the trigger. */
        @Bean
        SchedulingConfigurer scheduling(Job job) {
            SlotTrigger trigger = new SlotTrigger(new CronTrigger(ScheduledNode.CRON));
            return tasks -> tasks.addTriggerTask(() -> job.run(trigger.slot()), trigger);
        }
    }

    /** The job. */
    static class Job {

        private final ScheduledNode node;

        Job(ScheduledNode node) {
            this.node = node;
        }

        @SchedulerLock(name = "job", lockAtLeastFor = "500ms")
        public void run(Instant slot) {
            node.work(slot);
        }
    }

    /** Knows the slot for which it has been asked last, which is the one that runs. */
    private static final class SlotTrigger implements Trigger {

        private final Trigger trigger;
        private volatile @Nullable Instant latest;

        private SlotTrigger(Trigger trigger) {
            this.trigger = trigger;
        }

        Instant slot() {
            Instant known = latest;
            return known == null ? Instant.EPOCH : known;
        }

        @Override
        public @Nullable Instant nextExecution(TriggerContext context) {
            Instant next = trigger.nextExecution(context);
            latest = next;
            return next;
        }
    }
}
