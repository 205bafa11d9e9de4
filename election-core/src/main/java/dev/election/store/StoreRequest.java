package dev.election.store;

import java.util.concurrent.CompletionStage;

/**
 * A request that a process makes for its elections or itself, often many of them at the same time: {@link LeaseStore#send} takes several.
 *
 * @param <R> the kind of reply
 */
public sealed interface StoreRequest<R> permits StoreRequest.OfCandidate, BeatRequest {

    /** Sends this request alone. */
    CompletionStage<R> sendTo(LeaseStore store);

    /** The kind of reply, of which every {@link NoAnswer} is one. */
    Class<R> replyType();

    /**
     * A request for one election.
     *
     * @param <R> the kind of reply
     */
    sealed interface OfCandidate<R> extends StoreRequest<R> permits CampaignRequest, RenewRequest, ReleaseRequest {

        /** The candidate that sends the request, with its election. */
        Candidate candidate();
    }
}
