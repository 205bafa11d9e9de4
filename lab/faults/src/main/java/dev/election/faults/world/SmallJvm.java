package dev.election.faults.world;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How the processes of nodes are started, on the class path of this one. Many of them share few processors, and most of their work is to
 * start: so they optimize little, and do not verify the bytecode of libraries.
 */
public final class SmallJvm {

    private static final List<String> OPTIONS = List.of(
            "-Xss256k",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "-Xshare:auto",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private SmallJvm() {}

    /**
     * The command line.
     *
     * @param heapMegabytes the largest heap
     * @param mainClass what to run
     * @param arguments of that class
     */
    public static List<String> command(int heapMegabytes, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx" + heapMegabytes + "m");
        command.addAll(OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        return command;
    }
}
