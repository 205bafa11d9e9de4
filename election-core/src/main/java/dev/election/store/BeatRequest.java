package dev.election.store;

import dev.election.StoreProblem;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Registers an instance or keeps it registered.
 *
 * @param instance the id of the process, another one for each start
 * @param text what the process says of itself; the same text again is no change
 * @param expiresAfter how long the instance counts as there after this request
 * @param known the version of the sender's copy of the members
 */
public record BeatRequest(String instance, String text, Duration expiresAfter, RosterVersion known)
        implements StoreRequest<BeatReply> {

    @Override
    public CompletionStage<BeatReply> sendTo(LeaseStore store) {
        return store.memberStore()
                .map(members -> members.beat(this))
                .orElseGet(() -> CompletableFuture.completedFuture(
                        new NoAnswer(StoreProblem.UNKNOWN, "the store keeps no members")));
    }

    @Override
    public Class<BeatReply> replyType() {
        return BeatReply.class;
    }
}
