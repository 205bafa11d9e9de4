package dev.election.store;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The reply of a store to a renewal. */
public sealed interface RenewReply permits RenewReply.Renewed, RenewReply.Lost, NoAnswer {

    /**
     * The lease goes on.
     *
     * @param expiry when it ends now, by the store's clock
     * @param otherApplication the name of another application of which a candidate has been refused lately, empty if there is none
     */
    record Renewed(Instant expiry, String otherApplication) implements RenewReply {

        /** Creates the reply where no other application takes part. */
        public Renewed(Instant expiry) {
            this(expiry, "");
        }
    }

    /**
     * The candidacy does not hold the lease and will never hold it again.
     *
     * @param holder who holds it now, {@code null} if nobody does
     * @param cooldown how long the node cools down because the lease was taken from it by force, {@code null} if it was not
     */
    record Lost(@Nullable Held holder, @Nullable Duration cooldown) implements RenewReply {

        /** Creates the reply where the lease was not taken by force. */
        public Lost(@Nullable Held holder) {
            this(holder, null);
        }
    }
}
