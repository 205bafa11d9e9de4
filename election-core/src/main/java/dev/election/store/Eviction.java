package dev.election.store;

import java.util.concurrent.CompletionStage;

/** The capability of a {@link LeaseStore} to take a lease away. The rules for its calls and replies are those of the store. */
@FunctionalInterface
public interface Eviction {

    /** Takes the lease away from whoever holds it under that token. */
    CompletionStage<EvictReply> evict(EvictRequest request);
}
