package dev.election.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Names one run of a store with its data. It is another one whenever the store may have lost what it acknowledged: after a restart, or when
 * a replica was promoted.
 *
 * @param id tells this one from others, {@code null} if the store can't tell
 * @param unchangedFor for how long the store has certainly not lost anything; where it can't tell its incarnation, for how long the
 *     connection that carried the request has lasted, counted from when its server took writes: a connection to a standby counts from its
 *     promotion
 */
public record Incarnation(@Nullable String id, Duration unchangedFor) {

    /** Of a store that can't tell, and whose operators promise that it loses nothing. */
    public static final Incarnation UNKNOWN = new Incarnation(null, Duration.ofDays(36_500));
}
