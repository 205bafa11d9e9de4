package dev.election.store;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the lease.
 *
 * @param candidate who asks
 * @param lease how long a grant lasts
 * @param seen the highest token that the node has ever seen, 0 if none: a store whose own is lower has lost a grant
 * @param settle how long a store without a record of any grant waits before its first one, so that a living leader can renew; {@code null} if
 *     that wait is not to begin yet, since it is not known whether the events of the store reach this node, and so others like it
 */
public record CampaignRequest(Candidate candidate, Duration lease, long seen, @Nullable Duration settle)
        implements StoreRequest.OfCandidate<CampaignReply> {

    /** Returns this request with that token as the highest one seen, if it is higher. */
    public CampaignRequest seeing(long token) {
        return token <= seen ? this : new CampaignRequest(candidate, lease, token, settle);
    }

    @Override
    public CompletionStage<CampaignReply> sendTo(LeaseStore store) {
        return store.campaign(this);
    }

    @Override
    public Class<CampaignReply> replyType() {
        return CampaignReply.class;
    }
}
