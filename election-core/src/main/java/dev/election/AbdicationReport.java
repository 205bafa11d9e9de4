package dev.election;

import java.time.Duration;
import java.util.Optional;

/**
 * The result of an {@link AbdicationRequest}.
 *
 * @param outcome the outcome
 * @param detail the outcome in a sentence
 * @param before who led at the time of the request
 * @param after who leads now, as far as is known
 * @param took how long the request took
 */
public record AbdicationReport(
        AbdicationOutcome outcome, String detail, Optional<Leader> before, Optional<Leader> after, Duration took) {}
