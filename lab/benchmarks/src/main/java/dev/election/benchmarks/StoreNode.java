package dev.election.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The main class of a node process over a server of {@link StoreServer}. Is told a number of elections and how to get access, and then as {@link DatabaseNode}. */
public final class StoreNode {

    private StoreNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, which begins with the name of its library and a hyphen, port of its server, lease in ms
     */
    public static void main(String[] arguments) throws Exception {
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            String first = in.readLine();
            if (first == null) {
                throw new IOException("No number of elections");
            }
            String[] words = first.split(" ", -1);
            List<String> elections = IntStream.range(0, Integer.parseInt(words[0]))
                    .mapToObj(number -> "e" + number)
                    .toList();
            String id = arguments[0];
            Competitor competitor = StoreLibrary.valueOf(id.substring(0, id.indexOf('-')))
                    .open(
                            id,
                            Integer.parseInt(arguments[1]),
                            words[1],
                            Duration.ofMillis(Long.parseLong(arguments[2])),
                            elections);
            DatabaseNode.obey(competitor, in, new Voice(System.out));
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }
}
