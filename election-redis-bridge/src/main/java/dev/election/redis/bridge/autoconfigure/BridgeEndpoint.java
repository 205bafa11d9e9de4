package dev.election.redis.bridge.autoconfigure;

import dev.election.redis.bridge.Bridge;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint {@code electionbridge}: shows the master of the old scheduler, and takes its key when it is dead. Read-only unless the
 * application sets {@code management.endpoint.electionbridge.access=unrestricted}.
 */
@Endpoint(id = "electionbridge", defaultAccess = Access.READ_ONLY)
final class BridgeEndpoint {

    /** Longer than the bridge waits for the lock and for the reply of Redis. */
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Bridge bridge;
    private final Supplier<String> node;

    BridgeEndpoint(Bridge bridge, Supplier<String> node) {
        this.bridge = bridge;
        this.node = node;
    }

    /** The old scheduler, from the memory of this node. */
    @ReadOperation
    BridgeView bridge() {
        return BridgeView.of(bridge);
    }

    /**
     * Takes the key from an old master that does not run any more.
     *
     * @param master its id, as {@link BridgeView#master()} shows it: another one keeps the key
     */
    @DeleteOperation
    WebEndpointResponse<TakeOverView> takeOver(String master) {
        TakeOverView result = ask(master);
        return new WebEndpointResponse<>(result, result.outcome().status);
    }

    private TakeOverView ask(String master) {
        try {
            return bridge.takeOver(node.get(), master)
                    .thenApply(reply -> TakeOverView.of(reply, master))
                    .toCompletableFuture()
                    .get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            return TakeOverView.unknown("Redis did not answer in time");
        } catch (ExecutionException failure) {
            return TakeOverView.unknown(String.valueOf(failure.getCause()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return TakeOverView.unknown("the request was interrupted");
        }
    }
}
