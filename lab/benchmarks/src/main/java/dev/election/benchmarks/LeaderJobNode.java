package dev.election.benchmarks;

import dev.election.LeaderOnly;
import dev.election.Recover;
import dev.election.ScheduledSlot;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.springframework.scheduling.annotation.Scheduled;

/** A node process with a job that the leader runs, and each missed slot late. */
public final class LeaderJobNode {

    private LeaderJobNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws IOException {
        new ScheduledNode().run(arguments, Job.class, List.of());
    }

    /** The job. */
    static class Job {

        private final ScheduledNode node;

        Job(ScheduledNode node) {
            this.node = node;
        }

        @Scheduled(cron = ScheduledNode.CRON)
        @LeaderOnly(recoverWithin = "1m", recover = Recover.EVERY)
        public void run() {
            node.work(ScheduledSlot.current().map(ScheduledSlot::scheduledAt).orElse(Instant.EPOCH));
        }
    }
}
