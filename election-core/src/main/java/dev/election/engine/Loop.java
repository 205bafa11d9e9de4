package dev.election.engine;

import java.util.Iterator;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.LoggerFactory;

/**
 * Serial executor on which all elections of the process decide: one task after the other, never two at a time. Tasks must never block. After the loop
 * was closed, its methods throw a {@link RejectedExecutionException}.
 */
public interface Loop {

    /** Runs the task soon, after earlier tasks of the caller. */
    void execute(Runnable task);

    /**
     * Runs the task at once on the calling thread if no other task is running, and otherwise right after that one. For callers whose
     * thread may run tasks, such as that of a store: to wake another thread costs more than most tasks do.
     */
    void executeHere(Runnable task);

    /** Calls {@link #execute}, unless the loop is closed. Returns whether the task will run. */
    default boolean offer(Runnable task) {
        return unlessClosed(() -> execute(task));
    }

    /** Calls {@link #executeHere}, unless the loop is closed. Returns whether the task will run. */
    default boolean offerHere(Runnable task) {
        return unlessClosed(() -> executeHere(task));
    }

    private static boolean unlessClosed(Runnable handing) {
        try {
            handing.run();
            return true;
        } catch (RejectedExecutionException closed) {
            LoggerFactory.getLogger(Loop.class).trace("The engine is closed", closed);
            return false;
        }
    }

    /**
     * Runs an errand soon, on the own thread of the loop. An errand decides nothing, so it may run at the same time as a task. Errands run in the
     * order of the calls.
     */
    void aside(Runnable errand);

    /**
     * Runs errands one after the other while nothing else is due on the own thread of the loop. A loop without a thread of its own runs none.
     */
    default void whenIdle(Iterator<Runnable> errands) {}

    /** Runs the task when the monotonic clock reaches that time, unless cancelled before. */
    Alarm alarm(long at, Runnable task);

    /** A scheduled task. */
    interface Alarm {
        /** Cancels the task, which does not run after this has returned. On the loop only. */
        void cancel();
    }
}
