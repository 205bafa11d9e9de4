package dev.election.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps messages in order, whatever thread sends them, also when a connection is replaced.
 *
 * <p>All messages are sent on the thread of the connections, since a write by that thread overtakes one that another thread has queued. A
 * slow server may read a former connection after the next one: so the next one waits until the latest message over the former one was
 * answered or has failed, which takes a lease at most.
 */
final class SendingOrder {

    private final Executor thread;

    /** Guarded by this. */
    private @Nullable Object connection;

    /** Completes when the latest message was handed over. Guarded by this. */
    private CompletableFuture<?> handedOver = CompletableFuture.completedFuture(null);

    /** Reply to the latest message. Guarded by this. */
    private CompletableFuture<Long> reply = CompletableFuture.completedFuture(0L);

    /**
     * @param thread the thread of the connections
     */
    SendingOrder(Executor thread) {
        this.thread = thread;
    }

    /**
     * Sends a message after all that came before it.
     *
     * @param over the connection over which it goes
     * @param publish hands it over, and returns the reply
     */
    synchronized CompletionStage<Long> send(Object over, Supplier<? extends CompletionStage<Long>> publish) {
        if (over != connection) {
            connection = over;
            handedOver = CompletableFuture.allOf(handedOver, reply.handle((count, failure) -> null));
        }
        CompletableFuture<Long> own = new CompletableFuture<>();
        handedOver = handedOver
                .thenRunAsync(() -> handOver(publish, own), thread)
                .exceptionally(closed -> {
                    own.completeExceptionally(closed);
                    return null;
                });
        reply = own;
        return own;
    }

    private static void handOver(Supplier<? extends CompletionStage<Long>> publish, CompletableFuture<Long> reply) {
        try {
            CompletionStage<?> unused = publish.get().whenComplete((count, failure) -> {
                if (failure == null) {
                    reply.complete(count);
                } else {
                    reply.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException failure) {
            reply.completeExceptionally(failure);
        }
    }
}
