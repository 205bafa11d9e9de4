package dev.election.internal.simulation;

import dev.election.Preference;
import dev.election.Steering;
import dev.election.internal.members.MemberBounds;
import dev.election.members.Drain;
import dev.election.members.MemberSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The steering of a simulated world: who should lead, and what happens to that. Operators drain nodes and set them to active, work begins that
 * may outlast the wait for it, in some worlds the preferred node comes and goes, and in some the {@linkplain SimulatedHealth health} of nodes counts. A
 * leader that hands over by itself has led for the minimum tenure, and its work is over. Once it is calm, the right node leads within {@link #bound}, and
 * a node whose health flaps moves leadership a few times an hour.
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

    /** Until others have seen that the leader is down, were asked for their health after that, and are seen to be up. */
    private static final double FOUND_UP_IN_LEASES = 2 * MemberBounds.SEEN + 1;

    /** How many minimum tenures make an hour, if one is a minute. */
    private static final int HOUR = 60;

    /** In an hour a node whose health flaps is preempted, or preempts, after 1, 3, 7, 15 and 31 minutes, and once more if it was due. */
    private static final int MOST_CHANGES = 6;

    private final Simulation world;
    private final Random chances;
    private final boolean preempts;
    private final boolean prefersNewest;
    private final boolean hasVisitor;
    private final Duration minimumTenure;
    private final boolean flaps;

    /** {@code null} where it does not count. */
    private final @Nullable SimulatedHealth health;

    private final Map<String, Steering> steerings = new HashMap<>();
    private final Map<String, Integer> versions = new HashMap<>();

    SimulatedSteering(Simulation world, long seed) {
        this.world = world;
        this.chances = new Random(17 * seed + 3);
        this.preempts = chances.nextInt(4) != 0;
        this.prefersNewest = chances.nextBoolean();
        this.hasVisitor = chances.nextInt(3) == 0;
        this.minimumTenure = world.lease.multipliedBy(chances.nextInt(3));
        this.health = chances.nextBoolean() ? new SimulatedHealth(world, seed) : null;
        this.flaps = health != null && preempts && chances.nextBoolean();
    }

    @Nullable
    SimulatedHealth health() {
        return health;
    }

    /** A process of that node starts. */
    void started(String node) {
        if (health != null) {
            health.start(node);
        }
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
                    .abdicateWhenDown(health != null)
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
        if (health != null) {
            health.disturb(end);
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

    /** A leader begins to hand over by itself. */
    void check(String node, String reason) {
        int end = reason.indexOf(" should lead ");
        if (end < 0) {
            return;
        }
        String successor = reason.substring(0, end);
        boolean isBetter = preempts && byWorth().compare(successor, node) > 0;
        if (!isBetter && (health == null || !health.mayHandOver(node, successor))) {
            throw world.violation(node + " hands over to " + successor + ", which is no better");
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

    /** Whether no other candidate is better than that node, which may lead, and up. */
    boolean isRight(SimulatedNode leader) {
        List<SimulatedNode> eligible = eligible();
        List<String> up = eligible.stream()
                .map(SimulatedNode::name)
                .filter(name -> !isDown(name))
                .toList();
        if (!eligible.contains(leader)) {
            return false;
        }
        return isDown(leader.name())
                ? up.isEmpty()
                : !preempts || up.stream().noneMatch(other -> byWorth().compare(other, leader.name()) > 0);
    }

    /** The better one is greater. */
    private Comparator<String> byWorth() {
        Comparator<String> byPriority = Comparator.comparingInt(node -> of(node).priority());
        return prefersNewest ? byPriority.thenComparingInt(versions::get) : byPriority;
    }

    private boolean isDown(String node) {
        return health != null && health.isKnownToBeDown(node);
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
        double wait = minimumInLeases() * (1L << (handOvers + 2));
        double found = health == null ? 0 : FOUND_UP_IN_LEASES;
        double recovered = world.recoveries() == null ? 0 : 2 * SimulatedRecoveries.CALM_IN_LEASES;
        return TAKES_OVER_IN_LEASES
                + world.recoveryInLeases()
                + found
                + CONFIRMED_IN_LEASES
                + wait
                + recovered
                + TAKES_OVER_IN_LEASES;
    }

    private double minimumInLeases() {
        return Math.max(1, (double) minimumTenure.toNanos() / world.lease.toNanos());
    }

    /** Where that is so, the health of the leader flaps for an hour, or that of all nodes at the same time. */
    void flap(SimulatedNode leader) {
        if (!flaps || health == null) {
            return;
        }
        boolean isOfAll = chances.nextBoolean();
        List<SimulatedNode> flapping = isOfAll ? world.nodes() : List.of(leader);
        int before = world.leaderships();
        double hour = HOUR * minimumInLeases();
        double pause = 1.5 + 2 * chances.nextDouble();
        boolean isUp = false;
        for (double passed = 0; passed < hour; passed += pause) {
            health.become(flapping, isUp);
            isUp = !isUp;
            world.pass(pause);
        }
        int changes = world.leaderships() - before;
        if (changes > (isOfAll ? 1 : MOST_CHANGES)) {
            throw world.violation("Leadership has changed " + changes + " times in an hour in which the health of "
                    + (isOfAll ? "all" : leader.name()) + " flapped");
        }
        world.note("an hour: " + changes + " changes");
    }
}
