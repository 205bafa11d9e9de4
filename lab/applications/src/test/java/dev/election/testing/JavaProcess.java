package dev.election.testing;

import dev.election.harness.JvmProcess;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A main class in a process of its own, on the class path of the tests. */
public final class JavaProcess {

    private JavaProcess() {}

    /**
     * Runs it to its end and returns what it printed.
     *
     * @param main the class
     * @param absent how the names of those libraries begin that are left out of its class path; a module of this build may be a folder
     */
    public static String outputOf(Class<?> main, String... absent) {
        return outputOf(main, List.of(), absent);
    }

    /** As {@link #outputOf(Class, String...)}, with arguments for it. */
    public static String outputOf(Class<?> main, List<String> arguments, String... absent) {
        List<String> options = new ArrayList<>(JvmProcess.QUICK_START);
        options.addAll(List.of("-cp", classPathWithout(List.of(absent))));
        return JvmProcess.outputOf(JvmProcess.command(options, main.getName(), arguments));
    }

    private static String classPathWithout(List<String> absent) {
        List<String> entries =
                new ArrayList<>(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
        for (String name : absent) {
            boolean isLeftOut = entries.removeIf(
                    entry -> Path.of(entry).getFileName().toString().startsWith(name)
                            || entry.contains(File.separator + name + File.separator + "target"));
            if (!isLeftOut) {
                throw new IllegalArgumentException("There is no " + name + " to be left out");
            }
        }
        return String.join(File.pathSeparator, entries);
    }
}
