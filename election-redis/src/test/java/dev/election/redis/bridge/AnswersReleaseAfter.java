package dev.election.redis.bridge;

import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Carries a release out at once, and answers it later. */
final class AnswersReleaseAfter extends ForwardingLeaseStore {

    private final CompletableFuture<Void> when;

    AnswersReleaseAfter(LeaseStore store, CompletableFuture<Void> when) {
        super(store);
        this.when = when;
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return super.release(request).thenCombine(when, (reply, nothing) -> reply);
    }
}
