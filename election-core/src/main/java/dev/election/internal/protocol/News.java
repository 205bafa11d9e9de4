package dev.election.internal.protocol;

import dev.election.store.CampaignReply;
import dev.election.store.StoreEvent.RollCall;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The attempts that were sent before the latest news arrived: their replies may not reflect it.
 *
 * @param outdated the number of the latest attempt whose reply may not reflect the news
 * @param otherwise the number of the latest attempt for which that is so even if its reply is a grant from after {@code call}
 * @param call the roll call after which a grant to an attempt between the two must be, the latest if there were several; {@code null} if each grant
 *     to them counts
 */
public record News(long outdated, long otherwise, @Nullable RollCall call) {

    static final News NONE = new News(0, 0, null);

    /** Records news that the replies to all attempts so far may not reflect. */
    News all(long attempts) {
        return new News(attempts, attempts, null);
    }

    /** Records news that the replies to all attempts so far may not reflect, but for grants. */
    News butForGrants(long attempts) {
        return new News(attempts, outdated, null);
    }

    /** Outdates the replies to earlier attempts than that one, whose reply has arrived. */
    News upTo(long attempt) {
        return new News(Math.max(outdated, attempt), Math.max(otherwise, attempt), call);
    }

    /** Records a roll call. The store may have carried out attempts that were sent before it later than the call. */
    News called(RollCall latest, long attempts) {
        if (attempts > outdated) {
            return new News(attempts, outdated, latest);
        }
        return new News(outdated, otherwise, call == null ? latest : call.orLater(latest));
    }

    /** Whether any reply to an attempt reflects the news. */
    boolean isKnownTo(Attempt attempt) {
        return attempt.number() > outdated;
    }

    /** Whether a grant of a lease of that length reflects the news. A grant from after a roll call reflects the call. */
    boolean isKnownTo(Attempt attempt, CampaignReply.Granted granted, Duration lease) {
        Instant at = granted.expiry().minus(lease);
        return isKnownTo(attempt)
                || (attempt.number() > otherwise && (call == null || call.isBefore(granted.incarnation(), at)));
    }
}
