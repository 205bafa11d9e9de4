package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.TWO_PRIMARIES;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Conditions;
import dev.election.faults.world.Link;
import dev.election.faults.world.RedisServer;
import dev.election.faults.world.Sentinels;
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
        void more(Sentinels sentinels, RedisServer primary, List<Link> waysOfTheLeader) {
            waysOfTheLeader.forEach(link -> link.become(Conditions.CUT));
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, SUSPECT_STORE, TWO_PRIMARIES);
        }
    },
    ISOLATED_WITH_LEADER_GUARDED("the same where `min-replicas-to-write` is 1") {
        @Override
        void more(Sentinels sentinels, RedisServer primary, List<Link> waysOfTheLeader) throws IOException {
            primary.ask("CONFIG", "SET", "min-replicas-max-lag", "2");
            primary.ask("CONFIG", "SET", "min-replicas-to-write", "1");
            ISOLATED_WITH_LEADER.more(sentinels, primary, waysOfTheLeader);
        }

        @Override
        void undo(RedisServer primary) throws IOException {
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
        RedisServer primary = sentinels.primary();
        RedisServer other = sentinels.other(primary);
        List<Link> waysOfTheLeader = Target.LEADER.in(strike.group(), strike.random()).stream()
                .flatMap(leader -> sentinels.waysOf(leader.place()).stream())
                .toList();
        more(sentinels, primary, waysOfTheLeader);
        sentinels.isolate(primary);
        return () -> {
            boolean unused = sentinels.agreeOn(other);
            // Both answer as primaries meanwhile, for longer than the new one may grant nothing.
            TimeUnit.NANOSECONDS.sleep(strike.group().lease().toNanos() * 3 / 2);
            undo(primary);
            sentinels.rejoin(primary);
            RedisServer leading = sentinels.primary();
            if (leading != primary) {
                sentinels.follow(primary, leading);
            }
            waysOfTheLeader.forEach(link -> link.become(Conditions.FINE));
        };
    }

    void more(Sentinels sentinels, RedisServer primary, List<Link> waysOfTheLeader) throws IOException {}

    void undo(RedisServer primary) throws IOException {}
}
