package dev.election.redis;

import dev.election.redis.ProtocolRequests.RequestBatch;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Opens the ledgers of elections. A process that begins to lead many opens theirs at about the same time: an opening that is asked for while another
 * one is under way waits for its answer, and all that wait travel together. What is written to a ledger does not pass here, since later values have
 * to be written later.
 */
final class LedgerOpenings {

    /** Limit for that wait: the connection of the opening under way may be dead, and another one in use. */
    private static final int LONGEST_WAIT_MILLIS = 20;

    private final ProtocolRequests requests;
    private final Executor thread;
    private final boolean gathers;

    /** Openings that wait, {@code null} while none is under way. Guarded by this. */
    private @Nullable RequestBatch waiting;

    /**
     * @param thread the thread of the connections
     * @param gathers whether requests of several elections can travel together
     */
    LedgerOpenings(ProtocolRequests requests, Executor thread, boolean gathers) {
        this.requests = requests;
        this.thread = thread;
        this.gathers = gathers;
    }

    /** Opens the ledger at that key. */
    CompletionStage<List<String>> open(String election, String key, String... arguments) {
        RequestBatch own = requests.batch();
        CompletionStage<List<String>> reply;
        synchronized (this) {
            if (gathers && waiting != null) {
                return waiting.open(election, key, arguments);
            }
            reply = own.open(election, key, arguments);
            waiting = requests.batch();
        }
        send(own);
        return reply;
    }

    private void send(RequestBatch batch) {
        CompletableFuture<?> unused = batch.answered()
                .completeOnTimeout(null, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)
                .whenComplete((answered, failure) -> sendNext());
        batch.send();
    }

    /** Sends on a thread of its own: a failure may come at once, to whoever asks for an opening and has a lock of another ledger. */
    private void sendNext() {
        RequestBatch next = take();
        if (next != null) {
            try {
                thread.execute(() -> send(next));
            } catch (RejectedExecutionException closed) {
                send(next);
            }
        }
    }

    private synchronized @Nullable RequestBatch take() {
        RequestBatch taken = waiting;
        boolean isEmpty = taken == null || taken.isEmpty();
        waiting = isEmpty ? null : requests.batch();
        return isEmpty ? null : taken;
    }
}
