package dev.election.redis.autoconfigure;

import dev.election.ElectionConfigurationException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Fails the start if the Redis user may not ask which replicas have acknowledged a lease: the node could never lead. If Redis can't be
 * reached, the application starts, and the first campaign reports it.
 */
final class AcknowledgementPermissions implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(AcknowledgementPermissions.class);

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final Supplier<CompletionStage<Set<String>>> refused;
    private final Duration timeout;

    AcknowledgementPermissions(Supplier<CompletionStage<Set<String>>> refused, Duration lease) {
        this.refused = refused;
        this.timeout = lease.compareTo(LONGEST_WAIT) < 0 ? lease : LONGEST_WAIT;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<String> commands = refusedCommands();
        if (!commands.isEmpty()) {
            String names = String.join(" and ", commands);
            throw new ElectionConfigurationException(
                    "With election.redis.acknowledging-replicas this node could never lead: the Redis user may not run "
                            + names + ", or the server has renamed it",
                    "Grant the Redis user " + names + ", or remove election.redis.acknowledging-replicas.");
        }
    }

    private Set<String> refusedCommands() {
        try {
            return refused.get().toCompletableFuture().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException unreachable) {
            log.debug("Redis can't be asked yet whether its user may run WAIT", unreachable);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        return Set.of();
    }
}
