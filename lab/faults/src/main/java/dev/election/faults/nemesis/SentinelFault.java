package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Member;
import dev.election.faults.world.Sentinels;
import dev.election.harness.RedisProcess;
import java.util.EnumSet;
import java.util.Set;

/** Harm to servers that Sentinels watch over. Each lasts until another primary has been agreed on. */
public enum SentinelFault implements Fault {
    KILL_PRIMARY("`kill -9` of the primary, which comes back as a replica") {
        @Override
        Healing harm(Sentinels sentinels, Strike strike) throws Exception {
            return kill(sentinels);
        }
    },
    FREEZE_PRIMARY("SIGSTOP of the primary until another is promoted, then SIGCONT") {
        @Override
        Healing harm(Sentinels sentinels, Strike strike) throws Exception {
            RedisProcess primary = sentinels.primary();
            primary.freeze();
            return () -> {
                boolean unused = sentinels.agreeOn(sentinels.other(primary));
                primary.thaw();
            };
        }
    },
    FORCED_FAILOVER("`SENTINEL FAILOVER`") {
        @Override
        Healing harm(Sentinels sentinels, Strike strike) throws Exception {
            RedisProcess primary = sentinels.primary();
            sentinels.group().failOver();
            return () -> {
                boolean unused = sentinels.agreeOn(sentinels.other(primary));
            };
        }
    },
    FAILOVER_DURING_GRANT("the leader abdicates and the primary is killed in the same moment") {
        @Override
        Healing harm(Sentinels sentinels, Strike strike) throws Exception {
            for (Member leader : Target.LEADER.in(strike.group(), strike.random())) {
                leader.process().send("abdicate");
            }
            return kill(sentinels);
        }
    };

    private final String title;

    SentinelFault(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        return EnumSet.of(
                NO_ELECTION, OTHER_PRIMARY, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER);
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm((Sentinels) strike.group().topology(), strike);
    }

    abstract Healing harm(Sentinels sentinels, Strike strike) throws Exception;

    static Healing kill(Sentinels sentinels) throws Exception {
        RedisProcess primary = sentinels.primary();
        RedisProcess other = sentinels.other(primary);
        primary.kill();
        return () -> {
            if (sentinels.agreeOn(other)) {
                primary.restart("--replicaof", "127.0.0.1", Integer.toString(other.port()));
            } else {
                primary.restart();
            }
        };
    }
}
