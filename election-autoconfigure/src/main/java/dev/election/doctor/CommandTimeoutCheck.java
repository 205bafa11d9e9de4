package dev.election.doctor;

import dev.election.text.ReadableDuration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Whether leader work that waits for the application's Redis can outlive its leadership for that reason alone. The elections have a
 * connection and a timeout of their own and don't mind.
 */
public final class CommandTimeoutCheck implements Check {

    private final @Nullable Duration timeout;
    private final Duration shortestLease;
    private final boolean isGuarding;

    /**
     * Creates the check.
     *
     * @param timeout what the application has set, {@code null} for nothing: then it has not thought about it, and need not
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
                        + ReadableDuration.of(set) + ", the shortest lease " + ReadableDuration.of(shortestLease),
                "Set spring.data.redis.timeout below the lease, or ask LeaderWork.isCurrent() after each command");
    }
}
