package dev.election.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** The main class of a node process over a database, or over a Redis beside it. Says {@code LEADS} with the time, and obeys {@code stop}. */
public final class DatabaseNode {

    private DatabaseNode() {}

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, which begins with the name of its library and a hyphen, port of its server, lease in ms
     */
    public static void main(String[] arguments) throws Exception {
        try {
            String id = arguments[0];
            DatabaseLibrary library = DatabaseLibrary.valueOf(id.substring(0, id.indexOf('-')));
            Duration lease = Duration.ofMillis(Long.parseLong(arguments[2]));
            Competitor competitor = library.open(id, Integer.parseInt(arguments[1]), lease);
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            obey(competitor, in, new Voice(System.out));
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    static void obey(Competitor competitor, BufferedReader in, Voice voice) throws Exception {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            switch (line) {
                case "hello" -> voice.say("HELLO", System.nanoTime());
                case "start" -> {
                    competitor.start(() -> voice.say("LEADS", System.nanoTime()));
                    voice.say("STARTED", System.nanoTime());
                }
                case "stop" -> {
                    competitor.stop();
                    voice.say("STOPPED", System.nanoTime());
                }
                case "collect" -> voice.say("GAUGE", Gauge.afterCollection().line());
                default -> throw new IOException(line);
            }
        }
    }
}
