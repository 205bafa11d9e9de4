package dev.election.faults.world;

import dev.election.harness.Children;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets what is being measured go before everything else on the machine, if {@code -Dfaults.realtime=true} says so and this JVM was
 * started under {@code chrt -r}. A JVM that starts takes whole processors for a second and would hold up all that run: so
 * it goes behind them until it takes part.
 */
final class Precedence {

    private static final boolean REALTIME = Boolean.getBoolean("faults.realtime");

    private Precedence() {}

    static List<String> behind(List<String> command) {
        if (!REALTIME) {
            return command;
        }
        List<String> ordinary = new ArrayList<>(List.of("chrt", "--other", "0"));
        ordinary.addAll(command);
        return ordinary;
    }

    static void raise(long pid) {
        if (REALTIME) {
            Process unused = Children.OF_THIS_JVM.launch(
                    new ProcessBuilder("chrt", "--all-tasks", "--rr", "--pid", "5", Long.toString(pid))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD));
        }
    }
}
