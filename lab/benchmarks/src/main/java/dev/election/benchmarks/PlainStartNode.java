package dev.election.benchmarks;

import java.io.IOException;
import org.springframework.scheduling.annotation.Scheduled;

/** The application of {@code start} whose job runs on every node. */
public final class PlainStartNode {

    private PlainStartNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        StartedNode.run(arguments, Job.class);
    }

    /** The job. */
    static class Job {

        @Scheduled(cron = StartedNode.CRON)
        public void run() {}
    }
}
