package dev.election.internal.protocol;

import dev.election.store.CampaignReply;
import dev.election.store.StoreEvent.RollCall;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that were sent before the latest news arrived: their replies may not reflect it.
 *
 * @param outdated the number of the latest attempt whose reply may not know of it
 * @param otherwise the number of the latest attempt of which that is true even for a grant from after the call
 * @param call the roll call that all attempts between the two have heard of, the latest if there were several; {@code null} if there is none,
 *     so that each grant between the two counts
 */
public record News(long outdated, long otherwise, @Nullable RollCall call) {

    static final News NONE = new News(0, 0, null);

    /** No attempt so far knows of it. */
    News all(long attempts) {
        return new News(attempts, attempts, null);
    }

    /** No attempt so far knows of it, but it changes no grant. */
    News butForGrants(long attempts) {
        return new News(attempts, outdated, null);
    }

    /** The reply to that attempt has arrived: replies to earlier attempts are outdated. */
    News upTo(long attempt) {
        return new News(Math.max(outdated, attempt), Math.max(otherwise, attempt), call);
    }

    /** The store has called after all attempts so far were sent, but may have carried them out later than that. */
    News called(RollCall latest, long attempts) {
        if (attempts > outdated) {
            return new News(attempts, outdated, latest);
        }
        return new News(outdated, otherwise, call == null ? latest : call.orLater(latest));
    }

    boolean isKnownTo(Attempt attempt) {
        return attempt.number() > outdated;
    }

    /** The same for an attempt that was granted the lease for that long. A grant from after a call knows of it. */
    boolean isKnownTo(Attempt attempt, CampaignReply.Granted granted, Duration lease) {
        Instant at = granted.expiry().minus(lease);
        return isKnownTo(attempt)
                || (attempt.number() > otherwise && (call == null || call.isBefore(granted.incarnation(), at)));
    }
}
