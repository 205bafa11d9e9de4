package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Cluster;
import dev.election.harness.RedisProcess;
import java.util.EnumSet;
import java.util.Set;

/** Harm to the owner of the election's slot. Each lasts until another owner has been agreed on. */
public enum ClusterFault implements Fault {
    MOVE_SLOT("the slot moves to another owner") {
        @Override
        Healing harm(Cluster cluster) throws Exception {
            RedisProcess other = cluster.anotherPrimary();
            cluster.moveSlot(cluster.primary(), other);
            return () -> await(cluster, other);
        }
    },
    KILL_OWNER("`kill -9` of the slot's owner, which comes back as a replica") {
        @Override
        Healing harm(Cluster cluster) throws Exception {
            RedisProcess owner = cluster.primary();
            RedisProcess replica = cluster.replicaOf(owner);
            owner.kill();
            return () -> {
                await(cluster, replica);
                owner.restart();
            };
        }
    },
    FREEZE_OWNER("SIGSTOP of the slot's owner until its replica is promoted, then SIGCONT") {
        @Override
        Healing harm(Cluster cluster) throws Exception {
            RedisProcess owner = cluster.primary();
            RedisProcess replica = cluster.replicaOf(owner);
            owner.freeze();
            return () -> {
                await(cluster, replica);
                owner.thaw();
            };
        }
    },
    FAILOVER("`CLUSTER FAILOVER`") {
        @Override
        Healing harm(Cluster cluster) throws Exception {
            RedisProcess replica = cluster.replicaOf(cluster.primary());
            replica.ask("CLUSTER", "FAILOVER");
            return () -> await(cluster, replica);
        }
    },
    TAKEOVER("`CLUSTER FAILOVER TAKEOVER`: the owner is not asked") {
        @Override
        Healing harm(Cluster cluster) throws Exception {
            RedisProcess replica = cluster.replicaOf(cluster.primary());
            replica.ask("CLUSTER", "FAILOVER", "TAKEOVER");
            return () -> await(cluster, replica);
        }
    };

    private final String title;

    ClusterFault(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        EnumSet<Consequence> all = EnumSet.of(NO_ELECTION, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE);
        if (this != MOVE_SLOT) {
            all.addAll(EnumSet.of(OTHER_PRIMARY, UNREACHABLE_LEADER));
        }
        return all;
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm((Cluster) strike.group().topology());
    }

    abstract Healing harm(Cluster cluster) throws Exception;

    private static void await(Cluster cluster, RedisProcess owner) {
        boolean unused = cluster.agreesOn(owner);
    }
}
