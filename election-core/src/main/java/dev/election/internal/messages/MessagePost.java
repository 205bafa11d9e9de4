package dev.election.internal.messages;

import dev.election.members.MessageCount;
import dev.election.members.SendOutcome;
import dev.election.store.AnnounceReply;
import dev.election.store.MemberMessaging;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Publishes messages by the store, and counts them. Thread-safe.
 *
 * @param patience how long a reply of the store is waited for
 */
record MessagePost(MemberMessaging messaging, Duration patience, Counts counts) {

    CompletionStage<SendOutcome> send(String instance, WireMessage message) {
        return outcome(messaging.send(instance, message.text()));
    }

    CompletionStage<SendOutcome> sendToAll(WireMessage message) {
        return outcome(messaging.sendToAll(message.text()));
    }

    private CompletionStage<SendOutcome> outcome(CompletionStage<AnnounceReply> reply) {
        return reply.thenApply(given -> given instanceof AnnounceReply.Announced
                        ? SendOutcome.PUBLISHED
                        : SendOutcome.STORE_UNAVAILABLE)
                .toCompletableFuture()
                .completeOnTimeout(SendOutcome.STORE_UNAVAILABLE, patience.toMillis(), TimeUnit.MILLISECONDS)
                .thenApply(this::counted);
    }

    private SendOutcome counted(SendOutcome outcome) {
        counts.add(outcome == SendOutcome.PUBLISHED ? MessageCount.PUBLISHED : MessageCount.NOT_PUBLISHED);
        return outcome;
    }
}
