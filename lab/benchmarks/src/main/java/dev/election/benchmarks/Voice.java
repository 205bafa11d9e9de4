package dev.election.benchmarks;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Where a node process says what happens: one line a report, from any thread. */
final class Voice {

    private final PrintStream out;

    Voice(PrintStream out) {
        this.out = out;
    }

    void say(String kind, Object... words) {
        String line = kind + Arrays.stream(words).map(word -> " " + word).collect(Collectors.joining());
        synchronized (this) {
            out.println(line);
            out.flush();
        }
    }
}
