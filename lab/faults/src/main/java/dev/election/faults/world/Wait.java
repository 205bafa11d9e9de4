package dev.election.faults.world;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Asks again until it is so. */
public final class Wait {

    private Wait() {}

    /** What to wait for; to fail is the same as not yet. */
    @FunctionalInterface
    public interface Condition {
        boolean holds() throws IOException;
    }

    /** Waits, and fails if it is not so in time. */
    public static void until(String what, Duration patience, Condition condition) throws InterruptedException {
        if (!holdsWithin(patience, condition)) {
            throw new IllegalStateException("Waited " + patience + " in vain for " + what);
        }
    }

    public static boolean holdsWithin(Duration patience, Condition condition) throws InterruptedException {
        long begun = System.nanoTime();
        while (!holds(condition)) {
            if (System.nanoTime() - begun > patience.toNanos()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return true;
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (IOException notYet) {
            return false;
        }
    }
}
