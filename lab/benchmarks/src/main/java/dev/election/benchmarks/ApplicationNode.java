package dev.election.benchmarks;

import dev.election.Elections;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;

/** A node process that is a whole application with many elections and a Quartz scheduler, and without jobs. */
public final class ApplicationNode {

    /** Number of elections in which the application takes part. */
    static final int ELECTIONS = 100;

    private ApplicationNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws IOException {
        new ScheduledNode().run(arguments, Joining.class, List.of("election.redis.key-prefix=bench"));
    }

    /** Joins the elections after the start. */
    static class Joining {

        @Bean
        ApplicationRunner joining(Elections elections) {
            return started -> {
                for (int number = 0; number < ELECTIONS; number++) {
                    elections.get("e" + number);
                }
            };
        }
    }
}
