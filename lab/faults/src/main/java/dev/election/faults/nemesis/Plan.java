package dev.election.faults.nemesis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The faults that a group will get, drawn from a seed alone.
 *
 * @param seed of all that is random
 * @param episodes one after the other; faults of one episode overlap in time
 */
public record Plan(long seed, List<List<Step>> episodes) {

    /** The kinds of stores, and what is done to them. */
    public enum Kind {
        STANDALONE,
        /** A server that keeps snapshots only. */
        SNAPSHOTS,
        /** A server on whose channels somebody else publishes. */
        MESSAGES,
        /** A server far away. */
        SLOW_LINKS,
        /** A server that is flushed. */
        FLUSHES,
        /** A server that is flushed, and whose user may neither publish nor subscribe. */
        MUTE,
        SENTINELS,
        /** Servers that can be cut off from each other. */
        PARTITIONS,
        /** Servers that can be cut off from each other, where a lease counts only with the acknowledgement of the replica. */
        ACKNOWLEDGED,
        /** Servers with clocks of their own. */
        CLOCKS,
        CLUSTER,
        /** A PostgreSQL. */
        DATABASE,
        /** A PostgreSQL and its standby. */
        STANDBY,
        /** A PostgreSQL and its standby behind one address. */
        ADDRESS,
        /** A PostgreSQL into which dumps are restored. */
        DUMPS,
        /** An API server over an etcd. */
        KUBERNETES,
        /** An etcd of one member. */
        ETCD,
        /** A ZooKeeper of one server. */
        ZOOKEEPER;

        /** Those in which each node has a link of its own to the only server. */
        private static final Set<Kind> LINKED = EnumSet.of(STANDALONE, DATABASE, KUBERNETES, ETCD, ZOOKEEPER);

        private List<Card> deck() {
            List<Card> all = new ArrayList<>(cards(NodeFault.values()));
            if (LINKED.contains(this)) {
                all.addAll(cards(LinkFault.values()));
            }
            all.addAll(ownDeck());
            return all;
        }

        /** The faults that no other kind has. */
        public Stream<Fault> ownFaults() {
            return Arrays.stream(
                    switch (this) {
                        case STANDALONE -> StoreFault.values();
                        case SNAPSHOTS -> RestoreFault.values();
                        case MESSAGES -> HostileMessage.values();
                        case SLOW_LINKS -> SlowLink.values();
                        case FLUSHES, MUTE -> FlushFault.values();
                        case SENTINELS -> SentinelFault.values();
                        case PARTITIONS -> PartitionFault.values();
                        case ACKNOWLEDGED -> AcknowledgedFault.values();
                        case CLOCKS -> ClockFault.values();
                        case CLUSTER -> ClusterFault.values();
                        case DATABASE -> DatabaseFault.values();
                        case STANDBY -> StandbyFault.values();
                        case ADDRESS -> AddressFault.values();
                        case DUMPS -> DumpFault.values();
                        case KUBERNETES -> KubernetesFault.values();
                        case ETCD -> MemberFault.values();
                        case ZOOKEEPER -> MemberFault.COMMON;
                    });
        }

        private List<Card> ownDeck() {
            return cards(ownFaults().toArray(Fault[]::new));
        }

        private static List<Card> cards(Fault[] faults) {
            return Arrays.stream(faults)
                    .flatMap(fault -> fault.targets().stream().map(target -> new Card(fault, target)))
                    .toList();
        }
    }

    /** Every fault of that kind of store once, each alone, dealt to so many groups; the plan of the group with that number. */
    public static Plan once(Kind kind, long seed, int group, int groups) {
        Random random = new Random(seed);
        List<Card> deck = shuffled(kind == Kind.STANDALONE ? kind.deck() : kind.ownDeck(), random);
        List<List<Step>> episodes = new ArrayList<>();
        for (int i = 0; i < deck.size(); i++) {
            Step step = deck.get(i).step(0, random);
            if (i % groups == group) {
                episodes.add(List.of(step));
            }
        }
        return new Plan(seed, episodes);
    }

    /** So many episodes; every fourth has two faults of different families. */
    public static Plan soak(Kind kind, long seed, int count) {
        return drawn(kind.deck(), seed, count);
    }

    /** Draws so many episodes in which no process ends, so that a leak has time to show. */
    public static Plan withoutDeaths(Kind kind, long seed, int count) {
        Predicate<Card> kills = card -> card.fault == NodeFault.KILL
                || card.fault == NodeFault.TERMINATE
                || card.fault == NodeFault.WRONG_WALL_CLOCK
                || card.fault == StoreFault.AMNESIA;
        return drawn(kind.deck().stream().filter(kills.negate()).toList(), seed, count);
    }

    /** So many episodes with the kind's own faults, each alone. */
    public static Plan alone(Kind kind, long seed, int count) {
        return alone(kind.ownDeck(), seed, count);
    }

    /** So many episodes with the faults of processes, each alone. */
    public static Plan ofProcesses(long seed, int count) {
        return alone(Kind.cards(NodeFault.values()), seed, count);
    }

    private static Plan alone(List<Card> cards, long seed, int count) {
        Random random = new Random(seed);
        List<List<Step>> episodes = new ArrayList<>();
        while (episodes.size() < count) {
            shuffled(cards, random).forEach(card -> episodes.add(List.of(card.step(0, random))));
        }
        return new Plan(seed, List.copyOf(episodes.subList(0, count)));
    }

    /** Plans these faults, one after the other. */
    public static Plan of(List<Fault> faults, long seed) {
        Random random = new Random(seed);
        List<List<Step>> episodes = new ArrayList<>();
        for (Fault fault : faults) {
            Kind.cards(new Fault[] {fault}).forEach(card -> episodes.add(List.of(card.step(0, random))));
        }
        return new Plan(seed, List.copyOf(episodes));
    }

    /** Repeats one fault so many times, each time on one of these targets. */
    public static Plan repeated(Fault fault, List<Target> targets, long seed, int count) {
        Random random = new Random(seed);
        List<List<Step>> episodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Target target = targets.get(random.nextInt(targets.size()));
            episodes.add(List.of(new Card(fault, target).step(0, random)));
        }
        return new Plan(seed, List.copyOf(episodes));
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("seed " + seed));
        for (int i = 0; i < episodes.size(); i++) {
            lines.add(i + ": " + episodes.get(i).stream().map(Step::toString).toList());
        }
        return lines;
    }

    private static Plan drawn(List<Card> cards, long seed, int count) {
        Random random = new Random(seed);
        List<List<Step>> episodes = new ArrayList<>();
        while (episodes.size() < count) {
            for (Card card : shuffled(cards, random)) {
                Step first = card.step(0, random);
                boolean isPair = random.nextInt(4) == 0 && !first.fault().isAlone();
                episodes.add(isPair ? List.of(first, companion(first, cards, random)) : List.of(first));
            }
        }
        return new Plan(seed, List.copyOf(episodes.subList(0, count)));
    }

    private static Step companion(Step first, List<Card> cards, Random random) {
        List<Card> others = cards.stream()
                .filter(card -> !card.fault.isAlone() && !family(card.fault).equals(family(first.fault())))
                .toList();
        return others.get(random.nextInt(others.size())).step(random.nextDouble() * 0.8, random);
    }

    private static Class<?> family(Fault fault) {
        return fault instanceof Enum<?> constant ? constant.getDeclaringClass() : fault.getClass();
    }

    private static List<Card> shuffled(List<Card> cards, Random random) {
        List<Card> shuffled = new ArrayList<>(cards);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    /** All kinds of faults and targets, for whoever wants to show them in order. */
    public static Stream<Fault> faults() {
        Stream<Fault> common =
                Stream.<Fault[]>of(NodeFault.values(), LinkFault.values()).flatMap(Arrays::stream);
        return Stream.concat(common, Arrays.stream(Kind.values()).flatMap(Kind::ownFaults));
    }

    private record Card(Fault fault, Target target) {

        Step step(double delay, Random random) {
            double length = fault.span().draw(random);
            return new Step(fault, target, delay, length, random.nextLong());
        }
    }
}
