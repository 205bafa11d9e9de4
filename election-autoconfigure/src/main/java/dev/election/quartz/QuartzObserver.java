package dev.election.quartz;

import java.util.List;

/** Told what becomes of firings, to count them. Called on the thread of the firing: must not block or throw. */
public interface QuartzObserver {

    /** Does nothing. */
    QuartzObserver NONE = new QuartzObserver() {};

    /** All of them as one. */
    static QuartzObserver of(List<QuartzObserver> observers) {
        return new QuartzObserver() {
            @Override
            public void vetoed(String scheduler, String election) {
                observers.forEach(observer -> observer.vetoed(scheduler, election));
            }

            @Override
            public void recovered(String scheduler, String election) {
                observers.forEach(observer -> observer.recovered(scheduler, election));
            }
        };
    }

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
}
