package dev.election.scheduling;

/** Observes what becomes of slots that were not run at their time. Must return quickly and must not throw. */
public interface JobObserver {

    /** Does nothing. */
    JobObserver NONE = new JobObserver() {};

    /** A slot that was missed, or had begun under an earlier leader, is run now. */
    default void recovered(String election, String job) {}

    /** So many slots are not run any more: they are too old, or the store may have lost that they were run. */
    default void lost(String election, String job, int slots) {}

    /** A slot that had begun under an earlier leader is not run again. */
    default void interrupted(String election, String job) {}
}
