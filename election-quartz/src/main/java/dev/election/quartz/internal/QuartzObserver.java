package dev.election.quartz.internal;

import dev.election.LeaderWork;
import java.util.List;

/** Told what becomes of firings, to count them. Called on the thread of the firing: must not block or throw. */
public interface QuartzObserver {

    /** Does nothing. */
    QuartzObserver NONE = new QuartzObserver() {};

    /** All of them as one. */
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
     * Jobs of this context are guarded by an election. Called when the context has its beans, and perhaps again later.
     *
     * @param election the election that guards them
     */
    default void guarded(String election) {}

    /**
     * A firing was vetoed.
     *
     * @param scheduler the name of the scheduler
     * @param election the election that guards the job
     */
    default void vetoed(String scheduler, String election) {}

    /**
     * A firing that an earlier leader missed, or could not finish, takes place now.
     *
     * @param scheduler the name of the scheduler
     * @param election the election that guards the job
     */
    default void recovered(String scheduler, String election) {}

    /**
     * Nobody fires some slots: they are too old, the store may have lost that they were fired, or they are
     * claimed by an earlier leader and not known to have begun.
     *
     * @param scheduler the name of the scheduler
     * @param election the election that guards the job
     * @param slots how many they are
     */
    default void lost(String scheduler, String election, int slots) {}

    /**
     * A job begins; the returned work is closed when it ends, and must close the given one.
     *
     * @param election the election that guards the job
     * @param job its key
     * @param work as which it was admitted
     */
    default LeaderWork begun(String election, String job, LeaderWork work) {
        return work;
    }
}
