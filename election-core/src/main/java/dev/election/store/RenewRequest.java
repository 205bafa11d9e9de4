package dev.election.store;

import dev.election.FencingToken;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletionStage;

/**
 * Asks to keep the lease.
 *
 * @param candidate who asks
 * @param token the token of the grant
 * @param since when it was granted, so that a store that has forgotten can show it again
 * @param expiry when the lease ends by the store's clock, as the last good reply said
 * @param lease how long the renewed lease lasts
 */
public record RenewRequest(Candidate candidate, FencingToken token, Instant since, Instant expiry, Duration lease)
        implements StoreRequest.OfCandidate<RenewReply> {

    @Override
    public CompletionStage<RenewReply> sendTo(LeaseStore store) {
        return store.renew(this);
    }

    @Override
    public Class<RenewReply> replyType() {
        return RenewReply.class;
    }
}
