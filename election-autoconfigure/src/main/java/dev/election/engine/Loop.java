package dev.election.engine;

/** The one thread on which all elections of the process decide. Tasks run one after the other and must never block. */
interface Loop {

    /** Runs the task soon. */
    void execute(Runnable task);

    /** Runs the task when the monotonic clock reaches that time, unless cancelled before. */
    Alarm alarm(long at, Runnable task);

    /** A task that waits for its time. */
    interface Alarm {
        void cancel();
    }
}
