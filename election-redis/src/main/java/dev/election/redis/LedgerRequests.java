package dev.election.redis;

import dev.election.redis.ProtocolRequests.RequestBatch;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the requests of a process to its ledgers: those that are made while one of another election is under way wait for its answer,
 * and travel together. An election that is alone waits for nothing.
 */
final class LedgerRequests {

    /** Limit for that wait: the connection of the request under way may be dead, and another one in use. */
    private static final int LONGEST_WAIT_MILLIS = 20;

    private final boolean gathers;

    /** Requests that are not sent yet. Guarded by this, like the fields below. */
    private final RequestBatch waiting;

    private final Set<RequestBatch> underWay = new HashSet<>();

    /** Batches of several requests that are not all answered. A script may leave the last of them for later: nothing else of the same election overtakes it. */
    private final Set<RequestBatch> unanswered = new HashSet<>();

    /** Whether a thread is sending: another one must not overtake it, nor tell of a failure who waits for a lock of the first. */
    private boolean isSending;

    /**
     * @param gathers whether requests of several elections can travel together
     */
    LedgerRequests(ProtocolRequests requests, boolean gathers) {
        this.gathers = gathers;
        this.waiting = requests.batch();
    }

    /** Sends a request to the ledger at that key, after those that were made before. */
    CompletionStage<List<String>> ask(LedgerScript script, String election, String key, String... arguments) {
        CompletionStage<List<String>> reply;
        synchronized (this) {
            reply = waiting.ask(script, election, key, arguments);
        }
        sendWaiting();
        return reply;
    }

    private void sendWaiting() {
        for (RequestBatch next = take(); next != null; next = take()) {
            send(next);
        }
    }

    private void send(RequestBatch batch) {
        CompletableFuture<?> unusedLimit = batch.answered()
                .completeOnTimeout(null, LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS)
                .whenComplete((answered, failure) -> landed(underWay, batch));
        CompletableFuture<?> unusedEnd =
                batch.answered().whenComplete((answered, failure) -> landed(unanswered, batch));
        try {
            // Without the lock: a failure may come at once, and who asked may have a lock of its own.
            batch.send();
        } finally {
            synchronized (this) {
                isSending = false;
            }
        }
    }

    private void landed(Set<RequestBatch> awaited, RequestBatch batch) {
        synchronized (this) {
            awaited.remove(batch);
        }
        sendWaiting();
    }

    private synchronized @Nullable RequestBatch take() {
        if (isSending || mustWait()) {
            return null;
        }
        Set<String> held = unanswered.stream().flatMap(RequestBatch::elections).collect(Collectors.toSet());
        RequestBatch taken = waiting.take(election -> !held.contains(election));
        long count = taken.elections().count();
        if (count == 0) {
            return null;
        }
        underWay.add(taken);
        if (count > 1) {
            unanswered.add(taken);
        }
        isSending = true;
        return taken;
    }

    private boolean mustWait() {
        return gathers
                && !underWay.isEmpty()
                && Stream.concat(underWay.stream(), Stream.of(waiting))
                                .flatMap(RequestBatch::elections)
                                .distinct()
                                .limit(2)
                                .count()
                        > 1;
    }
}
