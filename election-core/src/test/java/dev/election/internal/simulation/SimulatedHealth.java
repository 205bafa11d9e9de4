package dev.election.internal.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The health of the nodes of a simulated world. Each is asked for it three times a lease. That of one node flaps, or that of all. A leader hands over
 * because it is down only to a node that was found up after that.
 */
final class SimulatedHealth {

    private static final int TURNS = 8;
    private static final int IN_A_ROW = 3;

    private final Simulation world;
    private final Random chances;
    private final Map<String, Health> nodes = new HashMap<>();

    /** What a node says of itself, and what was found. */
    private static final class Health {

        private boolean isUp = true;
        private boolean isKnownToBeDown;
        private int contrary;

        /** When it was found down, by the third answer in a row, -1 if it never was. */
        private long downSince = -1;

        /** When the latest question was asked that was answered well. */
        private long upAt = -1;
    }

    SimulatedHealth(Simulation world, long seed) {
        this.world = world;
        this.chances = new Random(19 * seed + 11);
    }

    private Health of(String node) {
        return nodes.computeIfAbsent(node, name -> new Health());
    }

    void disturb(long end) {
        for (int i = 0; i < TURNS; i++) {
            world.at((long) (chances.nextDouble() * end), "health", this::turn);
        }
        world.at(end, "health", this::turn);
    }

    private void turn() {
        int kind = chances.nextInt(4);
        if (kind > 1) {
            SimulatedNode node = world.nodes().get(chances.nextInt(world.nodes().size()));
            become(List.of(node), !of(node.name()).isUp);
        } else {
            become(world.nodes(), kind == 0);
        }
    }

    void become(List<SimulatedNode> those, boolean isUp) {
        those.forEach(node -> of(node.name()).isUp = isUp);
        world.note("health: " + (isUp ? "up " : "down ")
                + those.stream().map(SimulatedNode::name).toList());
    }

    @Nullable
    String problemOf(String node) {
        return of(node).isUp ? null : "db";
    }

    /** Less than the pause between two questions. */
    long answerTakes() {
        return (long) (chances.nextDouble() * world.lease.toNanos() / 4);
    }

    /** It counts as up when its process starts. */
    void start(String node) {
        Health health = of(node);
        health.isKnownToBeDown = false;
        health.contrary = 0;
    }

    /**
     * A question was answered.
     *
     * @param askedAt in the time of the world
     */
    void answered(String node, @Nullable String problem, long askedAt) {
        Health health = of(node);
        health.contrary = (problem != null) == health.isKnownToBeDown ? 0 : health.contrary + 1;
        if (health.contrary == IN_A_ROW) {
            health.contrary = 0;
            health.isKnownToBeDown = problem != null;
            health.downSince = problem == null ? health.downSince : world.now();
        }
        if (problem == null) {
            health.upAt = askedAt;
        }
    }

    boolean isKnownToBeDown(String node) {
        return of(node).isKnownToBeDown;
    }

    /** Whether that leader may hand over to that node although it is no better one. */
    boolean mayHandOver(String leader, String successor) {
        long since = of(leader).downSince;
        return since >= 0 && of(successor).upAt > since;
    }
}
