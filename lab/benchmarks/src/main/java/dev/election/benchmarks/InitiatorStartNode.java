package dev.election.benchmarks;

import java.io.IOException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.scheduling.annotation.Scheduled;

/** The application of {@code start} whose job asks a leader initiator of Spring Integration over its lock registry. */
public final class InitiatorStartNode {

    private InitiatorStartNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        StartedNode.run(arguments, Initiator.class);
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Job.class)
    static class Initiator {

        @Bean
        RedisLockRegistry lockRegistry(RedisConnectionFactory connections) {
            return new RedisLockRegistry(connections, "bench");
        }

        @Bean
        LockRegistryLeaderInitiator initiator(RedisLockRegistry locks) {
            return new LockRegistryLeaderInitiator(locks);
        }
    }

    /** The job. */
    static class Job {

        private final LockRegistryLeaderInitiator initiator;
        private int ran;

        Job(LockRegistryLeaderInitiator initiator) {
            this.initiator = initiator;
        }

        @Scheduled(cron = StartedNode.CRON)
        public void run() {
            if (initiator.getContext().isLeader()) {
                ran++;
            }
        }

        int ran() {
            return ran;
        }
    }
}
