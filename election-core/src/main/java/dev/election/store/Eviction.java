package dev.election.store;

import java.util.concurrent.CompletionStage;

/** The capability of a {@link LeaseStore} to take a lease away. The rules for its calls and replies are those of the store. */
@FunctionalInterface
public interface Eviction {

    /** Takes the lease away from the holder with that token. The holder may work on until it learns of it, at its own deadline at the latest. */
    CompletionStage<EvictReply> evict(EvictRequest request);
}
