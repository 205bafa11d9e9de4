package dev.election.internal.engine;

import dev.election.Preference;
import dev.election.Steering;
import dev.election.members.Drain;
import dev.election.members.MemberSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The steering of a simulated world: who should lead, and what happens to that. Operators drain nodes and set them to active, work begins that
 * may outlast the wait for it, and in some worlds the preferred node comes and goes. A leader that hands over by itself has led for the minimum
 * tenure, and its work is over. Once it is calm, the right node leads within {@link #bound}.
 */
final class SimulatedSteering {

    /** Enough for the ten leaderships that count. */
    static final int HISTORY = 12;

    private static final int ORDERS = 6;
    private static final int WORK = 6;
    private static final int VISITS = 5;

    /** From when all copies are right until a leader knows that the store has confirmed a better candidate for a whole lease. */
    private static final double CONFIRMED_IN_LEASES = 1 + 2 * MemberBounds.SEEN;

    /** An order to activate is seen, and whoever was drained asks for the lease, or a successor takes over. */
    private static final double TAKES_OVER_IN_LEASES = MemberBounds.SEEN + 1;

    private final Simulation world;
    private final Random chances;
    private final boolean preempts;
    private final boolean prefersNewest;
    private final boolean hasVisitor;
    private final Duration minimumTenure;
    private final Map<String, Steering> steerings = new HashMap<>();
    private final Map<String, Integer> versions = new HashMap<>();

    SimulatedSteering(Simulation world, long seed) {
        this.world = world;
        this.chances = new Random(17 * seed + 3);
        this.preempts = chances.nextInt(4) != 0;
        this.prefersNewest = chances.nextBoolean();
        this.hasVisitor = chances.nextInt(3) == 0;
        this.minimumTenure = world.lease.multipliedBy(chances.nextInt(3));
    }

    /** What that node is configured with: the same in each of its lives. */
    Steering of(String node) {
        return steerings.computeIfAbsent(node, name -> {
            versions.put(name, chances.nextInt(3));
            boolean isVisitor = hasVisitor && steerings.isEmpty();
            return Steering.none()
                    .priority(isVisitor ? 9 : chances.nextInt(3))
                    .prefer(prefersNewest ? Preference.NEWEST : Preference.NONE)
                    .preempt(preempts)
                    .tenure(minimumTenure, preempts ? null : minimumTenure.plus(world.lease.multipliedBy(3)));
        });
    }

    MemberSettings described(String node) {
        of(node);
        return MemberSettings.none().version("1." + versions.get(node));
    }

    void disturb(long end) {
        for (int i = 0; i < ORDERS; i++) {
            at(end, "order", () -> {
                SimulatedNode node = any();
                if (chances.nextBoolean()) {
                    any().orderDrain(new Drain(node.name(), "operator", Instant.EPOCH));
                } else {
                    any().orderReturn(node.name());
                }
            });
        }
        for (int i = 0; i < WORK; i++) {
            at(end, "work", () -> world.leaderOrAny().work((long) (chances.nextDouble() * 3 * world.lease.toNanos())));
        }
        for (int i = 0; hasVisitor && i < VISITS; i++) {
            at(end, "visit", () -> world.nodes().get(0).crash((long) (chances.nextDouble() * world.lease.toNanos())));
        }
    }

    private void at(long end, String what, Runnable action) {
        world.at((long) (chances.nextDouble() * end), what, action);
    }

    private SimulatedNode any() {
        return world.nodes().get(chances.nextInt(world.nodes().size()));
    }

    /** A leader hands over by itself. */
    void check(String node, long held) {
        if (held < of(node).minimumTenure().toNanos()) {
            throw world.violation("A leader hands over by itself after " + Duration.ofNanos(held));
        }
    }

    /** If all candidates are drained, an operator returns one. */
    void letSomebodyLead() {
        if (eligible().isEmpty()) {
            SimulatedNode node = world.nodes().stream()
                    .filter(SimulatedNode::isCandidate)
                    .findFirst()
                    .orElseThrow();
            node.orderReturn(node.name());
        }
    }

    /** Whether no other candidate is better than that node, which may lead. */
    boolean isRight(SimulatedNode leader) {
        List<SimulatedNode> eligible = eligible();
        Comparator<SimulatedNode> byWorth =
                Comparator.comparingInt(node -> of(node.name()).priority());
        if (prefersNewest) {
            byWorth = byWorth.thenComparingInt(node -> versions.get(node.name()));
        }
        Comparator<SimulatedNode> worth = byWorth;
        return eligible.contains(leader)
                && (!preempts || eligible.stream().noneMatch(other -> worth.compare(other, leader) > 0));
    }

    private List<SimulatedNode> eligible() {
        return world.nodes().stream()
                .filter(node -> node.isCandidate() && !world.members().isDrained(node.name()))
                .toList();
    }

    /** Whether leadership stays where it is once the right node has it. */
    boolean isSteady() {
        return preempts;
    }

    /**
     * How many leases after all copies are right the right node leads: somebody leads, finds a better candidate, has it confirmed, has led long
     * enough, and hands over. One hand-over more than the history has may have been under way, and one may have been in vain.
     *
     * @param handOvers how many leaderships in the history ended by one
     */
    double bound(long handOvers) {
        double minimum = Math.max(1, (double) minimumTenure.toNanos() / world.lease.toNanos());
        double wait = minimum * (1L << (handOvers + 2));
        return TAKES_OVER_IN_LEASES + world.recoveryInLeases() + CONFIRMED_IN_LEASES + wait + TAKES_OVER_IN_LEASES;
    }
}
