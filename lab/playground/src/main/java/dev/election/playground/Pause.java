package dev.election.playground;

import java.io.IOException;

/**
 * A process that stands still. It goes on when the pause is closed, and also when this process ends in whatever way: a stopped process
 * can't notice that itself.
 */
final class Pause implements AutoCloseable {

    private static final String STOP_AND_CONTINUE =
            """
            trap '' HUP INT TERM
            kill -s STOP "$0" && echo stopped
            cat > /dev/null
            kill -s CONT "$0"
            """;

    private final Process shell;

    private Pause(Process shell) {
        this.shell = shell;
    }

    /** Windows has no such signal. */
    static boolean isPossible() {
        return !System.getProperty("os.name").startsWith("Windows");
    }

    /** Returns when the process stands still. */
    static Pause of(long pid) throws IOException {
        Process shell = new ProcessBuilder("sh", "-c", STOP_AND_CONTINUE, Long.toString(pid))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (shell.getInputStream().read() < 0) {
            throw new IOException("Can't stop process " + pid);
        }
        return new Pause(shell);
    }

    /** Returns when it goes on, unless it was killed. */
    @Override
    public void close() throws IOException, InterruptedException {
        shell.getOutputStream().close();
        shell.waitFor();
    }
}
