package dev.election.internal.simulation;

import dev.election.Steering;
import dev.election.record.AtomicStore;
import dev.election.record.ElectionRecord;
import dev.election.record.LeaseRules;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Further elections of a simulated world, all balanced together with the first one. What befalls the store befalls their records, too. After every event
 * no two nodes lead one of them. Once it is calm, each is led within {@link Simulation#RECOVERY_IN_LEASES} leases, each node leads as many as the others,
 * or one more, within {@link #EVEN_IN_LEASES}, with few moves, and then nothing moves any more. Whoever leads works, one piece of work after the other, and
 * begins none before the leader that handed over to it has ended its own.
 */
final class SimulatedBalance {

    static final List<String> OTHERS =
            IntStream.range(0, 6).mapToObj(i -> "balanced" + i).toList();

    /** From when all copies are right until all has moved: a wave and, since copies differed before, another one. */
    private static final double EVEN_IN_LEASES = 14;

    private static final double AT_REST_IN_LEASES = 6;

    /** A leader that hands over has far more time to end its work. */
    private static final double LONGEST_WORK_IN_LEASES = 0.3;

    private final Simulation world;

    /** By chances of their own, so that the faults of a seed do not depend on the work. */
    private final Random works;

    private final Map<String, AtomicStore> stores = new TreeMap<>();
    private final Map<String, ElectionRecord> saved = new HashMap<>();
    private final Map<String, Long> ledAt = new HashMap<>();
    private int leaderships;

    SimulatedBalance(Simulation world, long seed, LeaseRules rules) {
        this.world = world;
        this.works = new Random(seed);
        OTHERS.forEach(election -> stores.put(
                election,
                new AtomicStore(
                        world::storeMillis,
                        event -> world.nodes().forEach(node -> node.overhear(election, event)),
                        rules)));
    }

    static Steering steering() {
        return Steering.none().balance(true);
    }

    AtomicStore of(String election) {
        return stores.get(election);
    }

    Collection<AtomicStore> stores() {
        return stores.values();
    }

    /** How long the next piece of work takes. */
    long work() {
        return (long) (works.nextDouble() * LONGEST_WORK_IN_LEASES * world.lease.toNanos());
    }

    /** When a node begins work. */
    void checkWork(SimulatedNode node, String election) {
        for (SimulatedNode other : world.nodes()) {
            if (other != node && other.worksThoughItHandedOver(election)) {
                throw world.violation(node.name() + " and " + other.name() + " work in " + election);
            }
        }
    }

    void leadershipBegins() {
        leaderships++;
    }

    void save() {
        stores.forEach((election, store) -> saved.put(election, store.save()));
    }

    /** Whether each record was saved after its first grant. */
    boolean canComeBack() {
        return saved.size() == stores.size()
                && saved.values().stream()
                        .allMatch(then -> then.epoch() != null && then.epoch().token() > 0);
    }

    void restart(Set<AtomicStore.Part> old) {
        stores.forEach((election, store) -> store.restart(saved.get(election), old));
        saved.clear();
    }

    void promote() {
        stores.forEach((election, store) -> store.promote(saved.get(election), true));
        saved.clear();
    }

    /** After every event. */
    void check() {
        for (String election : OTHERS) {
            long leaders =
                    world.nodes().stream().filter(node -> node.leads(election)).count();
            if (leaders > 1) {
                throw world.violation("Two nodes lead " + election);
            }
            if (leaders > 0) {
                ledAt.put(election, world.now());
            }
        }
    }

    /** Some time after the last fault. */
    void checkLed(long calmAt) {
        for (String election : OTHERS) {
            if (ledAt.getOrDefault(election, -1L) < calmAt) {
                throw world.violation("No node leads " + election);
            }
        }
    }

    /** Once all copies are right. */
    void settle(int handedOver) {
        double end = EVEN_IN_LEASES;
        while (!isEven() && end > 0) {
            world.pass(0.5);
            end -= 0.5;
        }
        if (!isEven()) {
            throw world.violation("After " + EVEN_IN_LEASES + " leases the nodes lead " + shares());
        }
        int moves = leaderships - handedOver;
        world.note("even after " + (EVEN_IN_LEASES - end) + " leases and " + moves + " moves");
        if (moves > 2 * (OTHERS.size() + 1)) {
            throw world.violation("Leadership has moved " + moves + " times");
        }
        int before = leaderships;
        world.pass(AT_REST_IN_LEASES);
        if (leaderships != before || !isEven()) {
            throw world.violation("Leadership moves at rest: " + shares());
        }
    }

    int leaderships() {
        return leaderships;
    }

    private boolean isEven() {
        List<Integer> shares = shares();
        int least = shares.stream().mapToInt(share -> share).min().orElseThrow();
        int most = shares.stream().mapToInt(share -> share).max().orElseThrow();
        return most - least < 2 && shares.stream().mapToInt(share -> share).sum() == OTHERS.size() + 1;
    }

    private List<Integer> shares() {
        return world.nodes().stream()
                .map(node -> (int) OTHERS.stream().filter(node::leads).count() + (node.isLeader() ? 1 : 0))
                .toList();
    }

    static boolean isOther(@Nullable String election) {
        return OTHERS.contains(election);
    }
}
