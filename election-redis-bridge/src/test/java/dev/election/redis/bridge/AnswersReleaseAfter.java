package dev.election.redis.bridge;

import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.ReleaseRequest;
import dev.election.store.StoreRequest;
import java.util.List;
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
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        return requests.stream().<CompletionStage<?>>map(this::reply).toList();
    }

    private CompletionStage<?> reply(StoreRequest<?> request) {
        return request instanceof ReleaseRequest release
                ? forward(release).thenCombine(when, (reply, nothing) -> reply)
                : forward(request);
    }
}
