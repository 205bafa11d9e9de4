package dev.election.fencing.http;

import dev.election.FencingToken;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The token that the request of this thread has brought, once it was admitted.
 *
 * @param resource for which it was admitted
 * @param token of the leader that calls
 */
public record ReceivedToken(String resource, FencingToken token) {

    private static final ThreadLocal<@Nullable ReceivedToken> CURRENT = new ThreadLocal<>();

    /** The token of the request on this thread, empty outside a handler with {@link RequireFencingToken}. */
    public static Optional<ReceivedToken> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    void onThisThread() {
        CURRENT.set(this);
    }

    static void clear() {
        CURRENT.remove();
    }
}
