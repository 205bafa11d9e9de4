package dev.election.faults.world;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Child processes, none of which outlives this object or this JVM. */
public final class Children implements AutoCloseable {

    private final Set<Process> running = ConcurrentHashMap.newKeySet();

    public Children() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> running.forEach(Process::destroyForcibly)));
    }

    /** Starts one that ends with this object. */
    public Process launch(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        running.add(process);
        return process;
    }

    /**
     * As {@code kill -9} does; returns when the process is gone. Not {@code Process.destroyForcibly()}, which throws away what the
     * process has said and nobody has read.
     */
    public void kill(Process process) throws InterruptedException {
        boolean unused = process.toHandle().destroyForcibly();
        process.waitFor();
        running.remove(process);
    }

    public static void signal(Process process, String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-s", name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill -s " + name + " ended with " + exit);
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (Process process : running) {
            kill(process);
        }
    }
}
