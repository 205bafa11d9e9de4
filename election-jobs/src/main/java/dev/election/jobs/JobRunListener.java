package dev.election.jobs;

/**
 * Listener to the ends of runs of guarded jobs on this node. Define a bean of this type. It is called on the thread that ended the run: it
 * must return quickly and must not throw.
 */
@FunctionalInterface
public interface JobRunListener {

    /** Called when a run has ended, as its outcome says. */
    void ended(JobRun run);
}
