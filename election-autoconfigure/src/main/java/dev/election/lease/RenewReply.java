package dev.election.lease;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a store says to a renewal. */
public sealed interface RenewReply permits RenewReply.Renewed, RenewReply.Lost, NoAnswer {

    /**
     * The lease goes on.
     *
     * @param expiry when it ends now, by the store's clock
     */
    record Renewed(Instant expiry) implements RenewReply {}

    /**
     * The candidacy does not hold the lease and will never hold it again.
     *
     * @param holder who holds it now, {@code null} if nobody does
     */
    record Lost(@Nullable Held holder) implements RenewReply {}
}
