package dev.election.fencing.internal.transaction;

import dev.election.FencingToken;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * The tokens to which this process has raised resources, so that it raises each once. Threads that need the same one at the same time wait for the
 * one raise that is under way, and share its failure.
 */
final class RaisedTokens {

    private final ConcurrentMap<String, FencingToken> raised = new ConcurrentHashMap<>();
    private final ConcurrentMap<Raise, CompletableFuture<@Nullable Void>> underWay = new ConcurrentHashMap<>();

    private record Raise(String resource, FencingToken token) {}

    /**
     * Calls the action unless the resource has been raised to that token.
     *
     * @param action raises it, or throws an exception; then nothing is remembered
     * @return the newer token to which this process has raised the resource; empty if it is raised to this one now
     */
    Optional<FencingToken> raiseOnce(String resource, FencingToken token, Runnable action) {
        FencingToken known = raised.get(resource);
        if (known != null && !token.isNewerThan(known)) {
            return known.isNewerThan(token) ? Optional.of(known) : Optional.empty();
        }
        Raise key = new Raise(resource, token);
        CompletableFuture<@Nullable Void> mine = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> first = underWay.putIfAbsent(key, mine);
        if (first != null) {
            await(first);
            return raiseOnce(resource, token, action);
        }
        try {
            // Another raise may have ended between the two looks.
            if (!token.equals(raised.get(resource))) {
                action.run();
                raised.merge(resource, token, (one, other) -> one.isNewerThan(other) ? one : other);
            }
            mine.complete(null);
        } catch (RuntimeException | Error failure) {
            mine.completeExceptionally(failure);
            throw failure;
        } finally {
            underWay.remove(key, mine);
        }
        return Optional.empty();
    }

    /** The database no longer has what was raised: the next call raises it again. */
    void forget(String resource, FencingToken token) {
        raised.remove(resource, token);
    }

    private static void await(CompletableFuture<@Nullable Void> first) {
        try {
            first.join();
        } catch (CompletionException failure) {
            if (failure.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failure;
        }
    }
}
