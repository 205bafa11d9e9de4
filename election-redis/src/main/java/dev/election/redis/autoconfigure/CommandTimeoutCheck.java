package dev.election.redis.autoconfigure;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether leader work that waits for a command of the application's Redis client can outlive its leadership. The elections
 * themselves use another connection with another timeout.
 */
public final class CommandTimeoutCheck implements Check {

    private final @Nullable Duration timeout;
    private final Duration shortestLease;
    private final boolean isGuarding;

    /**
     * Creates the check.
     *
     * @param timeout the command timeout that the application has set, {@code null} if it has set none
     * @param shortestLease the shortest lease of all elections
     * @param isGuarding whether there is leader work at all
     */
    public CommandTimeoutCheck(@Nullable Duration timeout, Duration shortestLease, boolean isGuarding) {
        this.timeout = timeout;
        this.shortestLease = shortestLease;
        this.isGuarding = isGuarding;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        return CompletableFuture.completedFuture(
                timeout == null || !isGuarding || timeout.compareTo(shortestLease) <= 0
                        ? List.of()
                        : List.of(tooLong(timeout)));
    }

    private Finding tooLong(Duration set) {
        return new Finding(
                "Leader work that waits for Redis may outlive its leadership: spring.data.redis.timeout is "
                        + ReadableDuration.of(set) + ", but the shortest lease is "
                        + ReadableDuration.of(shortestLease),
                "Set spring.data.redis.timeout to less than the lease, or call LeaderWork.isCurrent() after each command");
    }
}
