package dev.election.store;

import dev.election.record.RecordStore;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Names one run of a store with its data, as the rules judge it. It is another one whenever the store may have lost what it acknowledged:
 * after a restart, or when a replica was promoted.
 *
 * @param id tells this one from others, {@code null} if the store can't tell
 * @param unchangedFor for how long it has certainly been the one that takes writes, which is never the uptime of a server that may have been
 *     a replica: over a {@link RecordStore}, since this process has seen it first. Where the store can't tell its incarnation, for how long
 *     the connection that carried the request has been open
 * @param hasReturned whether this process has seen another incarnation between two sights of this one, as where a failover was taken back:
 *     what the other has acknowledged may be missing. Then {@code unchangedFor} counts from the return
 */
public record Incarnation(@Nullable String id, Duration unchangedFor, boolean hasReturned) {

    /** The incarnation of a store that can't tell it, and whose operators promise that it loses nothing. */
    public static final Incarnation UNKNOWN = new Incarnation(null, Duration.ofDays(36_500));

    /** An incarnation that has not returned after another. */
    public Incarnation(@Nullable String id, Duration unchangedFor) {
        this(id, unchangedFor, false);
    }
}
