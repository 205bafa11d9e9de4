package dev.election.benchmarks;

import dev.election.Election;
import dev.election.Elections;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;

/** A node process that is a whole application with one election and without jobs, steered by properties of its virtual machine. */
public final class SteeredNode {

    /** Options of the virtual machine, which starts beside many others. */
    static final String OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

    private SteeredNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws IOException {
        new ScheduledNode().run(arguments, Joining.class, List.of());
    }

    /** Joins the election after the start. */
    static class Joining {

        @Bean
        ApplicationRunner joining(Elections elections) {
            return started -> {
                Election unused = elections.get(Election.DEFAULT);
            };
        }
    }
}
