package dev.election.quartz.internal.scheduler;

import dev.election.LeaderWork;
import java.util.List;

/** Observer of firings, such as one that counts them. Called on the thread of the firing: must not block or throw. */
public interface QuartzObserver {

    /** Does nothing. */
    QuartzObserver NONE = new QuartzObserver() {};

    /** An observer that calls all of these. */
    static QuartzObserver of(List<QuartzObserver> observers) {
        return new QuartzObserver() {
            @Override
            public void guarded(String election) {
                observers.forEach(observer -> observer.guarded(election));
            }

            @Override
            public void vetoed(String scheduler, String election) {
                observers.forEach(observer -> observer.vetoed(scheduler, election));
            }

            @Override
            public void recovered(String scheduler, String election) {
                observers.forEach(observer -> observer.recovered(scheduler, election));
            }

            @Override
            public void lost(String scheduler, String election, int slots) {
                observers.forEach(observer -> observer.lost(scheduler, election, slots));
            }

            @Override
            public LeaderWork begun(String election, String job, LeaderWork work) {
                LeaderWork observed = work;
                for (QuartzObserver observer : observers) {
                    observed = observer.begun(election, job, observed);
                }
                return observed;
            }
        };
    }

    /**
     * Called for each election that guards jobs of this context, when the context has its beans, and perhaps again later.
     *
     * @param election the election that guards them
     */
    default void guarded(String election) {}

    /**
     * Called when a firing was vetoed.
     *
     * @param scheduler the name of the scheduler
     * @param election the election that guards the job
     */
    default void vetoed(String scheduler, String election) {}

    /**
     * Called when a firing takes place that an earlier leader missed, or could not finish.
     *
     * @param scheduler the name of the scheduler
     * @param election the election that guards the job
     */
    default void recovered(String scheduler, String election) {}

    /**
     * Called when nobody fires some slots: they are too old, the store may have lost that they were fired, or they are claimed by an
     * earlier leader and not known to have begun.
     *
     * @param scheduler the name of the scheduler
     * @param election the election that guards the job
     * @param slots how many they are
     */
    default void lost(String scheduler, String election, int slots) {}

    /**
     * Called when a job begins; the returned work is closed when it ends, and must close the given one.
     *
     * @param election the election that guards the job
     * @param job its key
     * @param work as which it was admitted
     */
    default LeaderWork begun(String election, String job, LeaderWork work) {
        return work;
    }
}
