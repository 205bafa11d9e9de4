package dev.election.benchmarks;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Child processes, none of which outlives this object or this JVM. */
final class Processes implements AutoCloseable {

    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final Thread atExit = new Thread(() -> running.forEach(Process::destroyForcibly));

    Processes() {
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    Process launch(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        running.add(process);
        return process;
    }

    /** As {@code kill -9} does; returns when the process is gone. Its streams stay open, to be read to their end. */
    void kill(Process process) throws InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
        running.remove(process);
    }

    static void signal(Process process, String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new IllegalStateException("kill -" + name + " ended with " + exit);
        }
    }

    @Override
    public void close() throws InterruptedException {
        for (Process process : running) {
            kill(process);
        }
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException exiting) {
            // The hook runs already.
            return;
        }
    }
}
