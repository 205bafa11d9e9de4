package com.example.sample.replicas;

import java.io.PrintStream;

/**
 * Prints the lines of several replicas, each with the name of its replica.
 *
 * @param coloured whether each replica has a colour of its own
 */
record Output(PrintStream out, boolean coloured) {

    /** Cyan, yellow, magenta, green, blue. */
    private static final int[] COLOURS = {36, 33, 35, 32, 34};

    @SuppressWarnings("SystemConsoleNull")
    static Output toConsole() {
        // With this, the console is null where there is no terminal, also on Java 22 to 24.
        System.setProperty("jdk.console", "java.base");
        return new Output(System.out, System.console() != null && System.getenv("NO_COLOR") == null);
    }

    /**
     * Prints a line.
     *
     * @param replica its number, from 1
     */
    void print(int replica, String name, String line) {
        String prefix = name + " | ";
        out.println(
                coloured
                        ? "\033[" + COLOURS[(replica - 1) % COLOURS.length] + "m" + prefix + "\033[0m" + line
                        : prefix + line);
    }
}
