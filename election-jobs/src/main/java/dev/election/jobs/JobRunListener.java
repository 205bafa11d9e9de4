package dev.election.jobs;

/**
 * Is told of each run of a guarded job on this node that has ended. Define a bean of this type. It is called on the thread that ended the run: it must return quickly
 * and must not throw.
 */
@FunctionalInterface
public interface JobRunListener {

    /** A run has ended, as its outcome says. */
    void ended(JobRun run);
}
