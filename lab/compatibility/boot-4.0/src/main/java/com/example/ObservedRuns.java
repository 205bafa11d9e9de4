package com.example;

import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import org.springframework.scheduling.support.ScheduledTaskObservationContext;
import org.springframework.stereotype.Component;

/** Prints the outcome that the guard adds to Spring's observation of a run, where the application has the actuator. */
@Component
public class ObservedRuns implements ObservationHandler<ScheduledTaskObservationContext> {

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof ScheduledTaskObservationContext;
    }

    @Override
    public void onStop(ScheduledTaskObservationContext context) {
        KeyValue outcome = context.getLowCardinalityKeyValue("election.outcome");
        System.out.println("A run is observed, with the outcome: " + (outcome == null ? "unknown" : outcome.getValue()));
    }
}
