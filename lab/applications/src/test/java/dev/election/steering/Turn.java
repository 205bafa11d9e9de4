package dev.election.steering;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Of the virtual machines that run the tests, one at a time starts groups of processes. All of them start so many processes that none would
 * be ready in time; those that have started mostly wait.
 */
final class Turn {

    private static final Path FILE = Path.of("target", "steered-groups.lock");

    private static int groups;

    /** Open while this virtual machine has the turn. Guarded by the class, like the number of groups. */
    private static @Nullable FileChannel turn;

    private Turn() {}

    /** Waits for the turn of this virtual machine, which all of its groups share. */
    static synchronized void begin() throws IOException {
        if (turn == null) {
            Files.createDirectories(FILE.getParent());
            turn = FileChannel.open(FILE, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            turn.lock();
        }
        groups++;
    }

    /** A group has started, or ended. */
    static synchronized void end() throws IOException {
        groups--;
        if (groups == 0 && turn != null) {
            turn.close();
            turn = null;
        }
    }
}
