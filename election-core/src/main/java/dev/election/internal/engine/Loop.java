package dev.election.internal.engine;

/**
 * Where all elections of the process decide: one task after the other, never two at a time. Tasks must never block. What is called once
 * the loop is closed throws a {@link java.util.concurrent.RejectedExecutionException}.
 */
public interface Loop {

    /** Runs the task soon, after those that the caller has handed over before. */
    void execute(Runnable task);

    /**
     * Runs the task at once and on the calling thread if nothing else is being run, and otherwise right after what is. For
     * callers whose thread may be borrowed, as a store's may: to wake another thread costs more than most tasks do.
     */
    void executeHere(Runnable task);

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
