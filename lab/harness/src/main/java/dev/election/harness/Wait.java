package dev.election.harness;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Asks again until a condition holds. */
public final class Wait {

    private static final long PAUSE_MILLIS = 10;

    private Wait() {}

    /** A failure to find out counts as not yet. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws IOException;
    }

    /** Waits, and fails if the condition does not hold in time. */
    public static void until(String what, Duration patience, Condition condition) {
        if (!holdsWithin(patience, condition)) {
            throw new IllegalStateException("Waited " + patience + " in vain for " + what);
        }
    }

    /** Waits, and returns whether the condition held in time. */
    public static boolean holdsWithin(Duration patience, Condition condition) {
        long begun = System.nanoTime();
        while (!holds(condition)) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                return false;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                throw interrupted(e);
            }
        }
        return true;
    }

    /** Nobody here expects an interruption, except to end. */
    static IllegalStateException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("Interrupted", cause);
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (IOException notYet) {
            return false;
        }
    }
}
