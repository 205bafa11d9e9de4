package dev.election.spring.scheduling;

import java.util.List;

/** Observer of jobs whose missed slots are recovered. Must return quickly and must not throw. */
public interface JobObserver {

    /** An observer that calls all of these. */
    static JobObserver of(List<JobObserver> observers) {
        return new JobObserver() {
            @Override
            public void added(String election, String job) {
                observers.forEach(observer -> observer.added(election, job));
            }

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

    /** Called for each job whose missed slots are recovered, when the context has its beans, and perhaps again. */
    default void added(String election, String job) {}

    /** Called when a slot is run that was missed, or had begun under an earlier leader. */
    default void recovered(String election, String job) {}

    /** Called when slots are not run: too old, claimed and not known to have begun, or the store may have lost that they were run. */
    default void lost(String election, String job, int slots) {}

    /** Called when a slot that had begun under an earlier leader is not run again. */
    default void interrupted(String election, String job) {}
}
