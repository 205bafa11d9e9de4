package dev.election.store;

import java.time.Duration;

/**
 * Asks for the lease.
 *
 * @param candidate who asks
 * @param lease how long a grant lasts
 * @param seen the highest token that the node has ever seen, 0 if none: by it a store notices that it has forgotten
 * @param settle how long a store that has never granted anything waits for a living leader to speak up
 */
public record CampaignRequest(Candidate candidate, Duration lease, long seen, Duration settle) {

    /** The same by a node that has also seen that token. */
    public CampaignRequest seeing(long token) {
        return token <= seen ? this : new CampaignRequest(candidate, lease, token, settle);
    }
}
