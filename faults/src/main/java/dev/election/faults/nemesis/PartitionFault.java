package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FORGETFUL_STORE;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.RedisServer;
import dev.election.faults.world.Sentinels;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Partitions between servers that Sentinels watch over, while the nodes still reach all of them. */
public enum PartitionFault implements Fault {
    ISOLATED_PRIMARY("the primary loses its replica and its Sentinels, but no node, until the replica is promoted") {
        @Override
        public Healing inject(Strike strike) throws Exception {
            Sentinels sentinels = (Sentinels) strike.group().topology();
            RedisServer primary = sentinels.primary();
            RedisServer other = sentinels.other(primary);
            sentinels.isolate(primary);
            return () -> {
                boolean unused = sentinels.agreeOn(other);
                // Both answer as primaries meanwhile.
                TimeUnit.NANOSECONDS.sleep(strike.group().lease().toNanos() / 2);
                sentinels.rejoin(primary);
                sentinels.follow(primary, sentinels.primary());
            };
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, FORGETFUL_STORE);
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
    public Set<Target> targets() {
        return EnumSet.of(Target.STORE);
    }

    @Override
    public Span span() {
        return Span.NONE;
    }
}
