package dev.election.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of observations, from which timers and traces are made.
 *
 * @param skippedRuns whether a run of a guarded {@code @Scheduled} method is observed on a node that does not lead, where it is skipped.
 *     If not, such a run has no timer and no trace
 */
@ConfigurationProperties("election.observations")
public record ElectionObservationProperties(@DefaultValue("true") boolean skippedRuns) {}
