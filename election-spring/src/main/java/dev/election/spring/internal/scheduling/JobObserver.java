package dev.election.spring.internal.scheduling;

import java.util.List;

/** Observes what becomes of slots that were not run at their time. Must return quickly and must not throw. */
public interface JobObserver {

    /** One that tells all of these. */
    static JobObserver of(List<JobObserver> observers) {
        return new JobObserver() {
            @Override
            public void recovered(String election, String job) {
                observers.forEach(observer -> observer.recovered(election, job));
            }

            @Override
            public void lost(String election, String job, int slots) {
                observers.forEach(observer -> observer.lost(election, job, slots));
            }

            @Override
            public void interrupted(String election, String job) {
                observers.forEach(observer -> observer.interrupted(election, job));
            }
        };
    }

    /** A slot that was missed, or had begun under an earlier leader, is run now. */
    default void recovered(String election, String job) {}

    /** So many slots are not run: too old, claimed and not known to have begun, or the store may have lost that they were run. */
    default void lost(String election, String job, int slots) {}

    /** A slot that had begun under an earlier leader is not run again. */
    default void interrupted(String election, String job) {}
}
