package dev.election.testing;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Signals to processes that a test has started. */
public final class Signals {

    private Signals() {}

    public static void send(long pid, String signal) {
        try {
            int exit = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (exit != 0) {
                throw new IllegalStateException("kill -" + signal + " " + pid + " ended with " + exit);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
