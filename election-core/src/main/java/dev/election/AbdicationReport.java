package dev.election;

import java.time.Duration;
import java.util.Optional;

/**
 * What came of an {@link AbdicationRequest}.
 *
 * @param outcome in a word
 * @param detail in a sentence
 * @param before who led when it was asked
 * @param after who leads now, as far as is known
 * @param took how long it took
 */
public record AbdicationReport(
        AbdicationOutcome outcome, String detail, Optional<Leader> before, Optional<Leader> after, Duration took) {}
