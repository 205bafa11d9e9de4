package dev.election.autoconfigure.internal.observation;

import dev.election.spring.guard.LeaderGuardPostProcessor;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationPredicate;
import java.util.function.Supplier;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;

/**
 * Leaves runs of guarded {@code @Scheduled} methods unobserved while this node does not lead. Decides before the run, and so before its
 * guard does.
 */
public final class SkippedRuns implements ObservationPredicate {

    private final Supplier<LeaderGuardPostProcessor> guards;

    /**
     * Knows the guards of one context.
     *
     * @param guards called at each run
     */
    public SkippedRuns(Supplier<LeaderGuardPostProcessor> guards) {
        this.guards = guards;
    }

    @Override
    public boolean test(String name, Observation.Context context) {
        return !(context instanceof ScheduledTaskObservationContext run)
                || !guards.get().skipsNow(run.getTargetClass(), run.getMethod());
    }
}
