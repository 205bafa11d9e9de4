package dev.election;

import java.time.Duration;
import java.time.Instant;

/**
 * What this node holds while it leads. It is a picture of one moment: ask {@link Election#leadership()} again for a later one.
 *
 * @param election the name of the election
 * @param token the token to write beside everything that this leader changes
 * @param since when the leadership was granted, by the clock of the store
 * @param remaining how long the leadership lasts if no further renewal succeeds; always positive
 */
public record Leadership(String election, FencingToken token, Instant since, Duration remaining) {}
