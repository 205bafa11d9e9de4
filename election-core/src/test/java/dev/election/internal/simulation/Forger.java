package dev.election.internal.simulation;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.store.NodeMessage;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Makes up events as somebody may publish them who knows the election well and means no good: each value is either one that a node
 * might have sent, or one far out of bounds.
 */
final class Forger {

    private static final long HIGHEST_TOKEN = (1L << 53) - 1;

    private final Simulation world;
    private final Random random;

    Forger(Simulation world) {
        this.world = world;
        this.random = world.random;
    }

    StoreEvent forge() {
        return switch (random.nextInt(5)) {
            case 0 ->
                new StoreEvent.Acquired(
                        new Leader(node(), "address", token(), Instant.ofEpochMilli(world.storeMillis())), time(1));
            case 1 -> new StoreEvent.Released(token(), nodeOrNone(), time(1));
            case 2 -> new StoreEvent.RollCall();
            case 3 ->
                // A leader that is asked to cool down for a day does so. Only a longer cooldown must be ignored.
                abdicationRequested(token(), time(0.3), time(0.5), nodeOrNone(), time(0.5));
            default -> new StoreEvent.Received(new NodeMessage.AbdicationHeard("forged", time(1)));
        };
    }

    private static StoreEvent abdicationRequested(
            FencingToken token, Duration drain, Duration cooldown, @Nullable String successor, Duration reserve) {
        try {
            return new StoreEvent.Received(new NodeMessage.AbdicationRequested(
                    "forged", token, new Abdication(drain, cooldown, successor, reserve)));
        } catch (IllegalArgumentException invalid) {
            return new StoreEvent.Invalid(NodeMessage.AbdicationRequested.class, String.valueOf(invalid.getMessage()));
        }
    }

    private FencingToken token() {
        long leaders = world.highestToken();
        return new FencingToken(
                switch (random.nextInt(6)) {
                    case 0, 1 -> Math.max(1, leaders);
                    case 2 -> Math.max(1, leaders + random.nextInt(7) - 3);
                    case 3 -> leaders + random.nextLong(Duration.ofHours(23).toMillis()) + 1;
                    case 4 -> leaders + Duration.ofDays(400).toMillis();
                    default -> HIGHEST_TOKEN;
                });
    }

    private Duration time(double leases) {
        return switch (random.nextInt(6)) {
            case 0 -> Duration.ofDays(365);
            case 1 -> Duration.ofDays(2);
            case 2 -> Duration.ofMillis(-1);
            default -> Duration.ofNanos((long) (random.nextDouble() * leases * world.lease.toNanos()));
        };
    }

    private String node() {
        return random.nextInt(3) == 0 ? "stranger" : world.anyNode().name();
    }

    private @Nullable String nodeOrNone() {
        return random.nextBoolean() ? null : node();
    }
}
