package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.TWO_PRIMARIES;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Sentinels;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.RedisProcess;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Partitions between servers that Sentinels watch over: the primary loses its replica and the Sentinels, and no node. */
public enum PartitionFault implements Fault {
    ISOLATED_PRIMARY("the primary loses its replica and its Sentinels, but no node, until the replica is promoted") {
        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, SUSPECT_STORE);
        }
    },
    ISOLATED_WITH_LEADER("the same, and the leader hears of no Sentinel") {
        @Override
        void more(Sentinels sentinels, RedisProcess primary, List<Link> waysOfTheLeader) {
            waysOfTheLeader.forEach(link -> link.become(Conditions.CUT));
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, SUSPECT_STORE, TWO_PRIMARIES);
        }
    },
    STALE_SENTINEL("the same, the first Sentinel stays with the primary, and the leader reaches all of them") {
        @Override
        void isolate(Sentinels sentinels, RedisProcess primary, List<Link> waysOfTheLeader) {
            sentinels.links().isolateWithFirstSentinel(primary);
            sentinels.waysToFirst().stream()
                    .filter(way -> !waysOfTheLeader.contains(way))
                    .forEach(way -> way.become(Conditions.CUT));
        }

        @Override
        void undo(Sentinels sentinels, RedisProcess primary) {
            sentinels.waysToFirst().forEach(way -> way.become(Conditions.FINE));
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, SUSPECT_STORE);
        }
    },
    ISOLATED_WITH_LEADER_GUARDED("the leader hears of no Sentinel either, where `min-replicas-to-write` is 1") {
        @Override
        void more(Sentinels sentinels, RedisProcess primary, List<Link> waysOfTheLeader) throws IOException {
            primary.ask("CONFIG", "SET", "min-replicas-max-lag", "2");
            primary.ask("CONFIG", "SET", "min-replicas-to-write", "1");
            ISOLATED_WITH_LEADER.more(sentinels, primary, waysOfTheLeader);
        }

        @Override
        void undo(Sentinels sentinels, RedisProcess primary) throws IOException {
            primary.ask("CONFIG", "SET", "min-replicas-to-write", "0");
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, SUSPECT_STORE);
        }
    };

    private final String title;

    PartitionFault(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        Sentinels sentinels = (Sentinels) strike.group().topology();
        RedisProcess primary = sentinels.primary();
        RedisProcess other = sentinels.other(primary);
        List<Link> waysOfTheLeader = Target.LEADER.in(strike.group(), strike.random()).stream()
                .flatMap(leader -> sentinels.waysOf(leader.place()).stream())
                .toList();
        more(sentinels, primary, waysOfTheLeader);
        isolate(sentinels, primary, waysOfTheLeader);
        return () -> {
            boolean unused = sentinels.othersAgreeOn(other);
            // Both answer as primaries meanwhile, for longer than the new one may grant nothing.
            TimeUnit.NANOSECONDS.sleep(strike.group().lease().toNanos() * 3 / 2);
            undo(sentinels, primary);
            sentinels.links().rejoin();
            boolean promoted = sentinels.agreeOn(other);
            if (promoted) {
                sentinels.group().follow(primary, other);
            }
            waysOfTheLeader.forEach(link -> link.become(Conditions.FINE));
        };
    }

    void isolate(Sentinels sentinels, RedisProcess primary, List<Link> waysOfTheLeader) {
        sentinels.links().isolate(primary);
    }

    void more(Sentinels sentinels, RedisProcess primary, List<Link> waysOfTheLeader) throws IOException {}

    void undo(Sentinels sentinels, RedisProcess primary) throws IOException {}
}
