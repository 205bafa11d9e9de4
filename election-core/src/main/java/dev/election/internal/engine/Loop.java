package dev.election.internal.engine;

import java.util.concurrent.RejectedExecutionException;
import org.slf4j.LoggerFactory;

/**
 * Where all elections of the process decide: one task after the other, never two at a time. Tasks must never block. What is called once
 * the loop is closed throws a {@link RejectedExecutionException}.
 */
public interface Loop {

    /** Runs the task soon, after those that the caller has handed over before. */
    void execute(Runnable task);

    /**
     * Runs the task at once and on the calling thread if nothing else is being run, and otherwise right after what is. For
     * callers whose thread may be borrowed, as a store's may: to wake another thread costs more than most tasks do.
     */
    void executeHere(Runnable task);

    /** Hands the task over as {@link #execute} does, unless the loop is closed. Returns whether the task will run. */
    default boolean offer(Runnable task) {
        return unlessClosed(() -> execute(task));
    }

    /** Hands the task over as {@link #executeHere} does, unless the loop is closed: what a store says then concerns nobody. */
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
     * Runs something soon that is no decision, on a thread that is never borrowed: besides the tasks, perhaps at the same time as
     * one, in the order of the calls.
     */
    void aside(Runnable errand);

    /** Runs the task when the monotonic clock reaches that time, unless cancelled before. */
    Alarm alarm(long at, Runnable task);

    /** A task that waits for its time. */
    interface Alarm {
        /** In the loop only: once this has returned, the task does not run. */
        void cancel();
    }
}
