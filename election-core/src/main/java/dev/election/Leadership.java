package dev.election;

import java.time.Duration;
import java.time.Instant;

/**
 * The leadership of this node at one moment. Call {@link Election#leadership()} again for the present state.
 *
 * @param election the name of the election
 * @param token the token to store with all data that this leader changes
 * @param since when the leadership was granted, by the clock of the store
 * @param remaining how long the leadership lasts if no further renewal succeeds; always positive
 */
public record Leadership(String election, FencingToken token, Instant since, Duration remaining) {}
