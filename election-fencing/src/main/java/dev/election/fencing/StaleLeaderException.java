package dev.election.fencing;

import dev.election.FencingToken;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown where the leadership under which a fenced call was made has been replaced: nothing of its transaction is committed. To repeat the
 * call under the same leadership fails again; the newer leader does the work.
 *
 * <p>Deliberately no {@code TransactionException} of Spring: if one of those is thrown before the commit, transaction managers don't roll back.
 */
public final class StaleLeaderException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String resource;
    private final FencingToken token;
    private final @Nullable FencingToken newerToken;

    private StaleLeaderException(
            String message,
            String resource,
            FencingToken token,
            @Nullable FencingToken newerToken,
            @Nullable Throwable cause) {
        super(message, cause);
        this.resource = resource;
        this.token = token;
        this.newerToken = newerToken;
    }

    /** A newer leader has written the resource. */
    public static StaleLeaderException replaced(String resource, FencingToken token, FencingToken newer) {
        return new StaleLeaderException(
                "A newer leader with token " + newer + " has begun to write the resource '" + resource
                        + "': the call with token " + token
                        + " commits nothing. The newer leader does the work; no action is"
                        + " needed",
                resource,
                token,
                newer,
                null);
    }

    public static StaleLeaderException ended(String resource, FencingToken token, @Nullable Throwable cause) {
        return new StaleLeaderException(
                "The leadership with token " + token + " has ended: the call that writes the resource '" + resource
                        + "' commits nothing. The next leader does the work; no action is needed",
                resource,
                token,
                null,
                cause);
    }

    /** The name of the resource. */
    public String getResource() {
        return resource;
    }

    /** The token under which the call was made. */
    public FencingToken getToken() {
        return token;
    }

    /** The newer token of the resource; empty if it is only known that the leadership has ended. */
    public Optional<FencingToken> getNewerToken() {
        return Optional.ofNullable(newerToken);
    }
}
