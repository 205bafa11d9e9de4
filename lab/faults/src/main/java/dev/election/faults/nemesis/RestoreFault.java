package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FORGETFUL_STORE;
import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Member;
import dev.election.faults.world.Standalone;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.RedisProcess;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Restarts of a single Redis server that saves snapshots and nothing else, as Redis does by default. */
public enum RestoreFault implements Fault {
    SNAPSHOT_RESTART("`kill -9`, restarted within a second with a snapshot older than the lease", Span.NONE) {
        @Override
        public void prepare(Strike strike) throws Exception {
            takeSnapshotOlderThanALease(strike);
        }

        @Override
        public Healing inject(Strike strike) throws Exception {
            restart(strike);
            return Healing.NONE;
        }

        /** The leader is back long before its lease ends, so nothing may be lost. */
        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.noneOf(Consequence.class);
        }
    },
    SNAPSHOT_RESTART_LEADER_CUT("the same while the leader is cut off", Span.LONG) {
        @Override
        public void prepare(Strike strike) throws Exception {
            takeSnapshotOlderThanALease(strike);
        }

        @Override
        public Healing inject(Strike strike) throws Exception {
            Member leader = Target.LEADER.in(strike.group(), strike.random()).get(0);
            Link link = ((Standalone) strike.group().topology()).link(leader.place());
            link.become(Conditions.CUT);
            restart(strike);
            return () -> link.become(Conditions.FINE);
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(SUSPECT_STORE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
        }
    },
    EMPTY_RESTART_FRESH("`kill -9`, restarted empty as soon as a node has been started meanwhile", Span.NONE) {
        @Override
        public Healing inject(Strike strike) throws Exception {
            Member fresh = Target.FOLLOWER.in(strike.group(), strike.random()).get(0);
            RedisProcess redis = ((Standalone) strike.group().topology()).primary();
            fresh.process().kill();
            redis.kill();
            redis.forgetAll();
            fresh.restart();
            return () -> {
                fresh.awaitJoined();
                // The others wait for up to half a second before they try to connect again: at any moment of it.
                TimeUnit.MILLISECONDS.sleep(strike.between(0, 500));
                redis.restart();
            };
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(NO_ELECTION, FORGETFUL_STORE, LOST_CONNECTIONS, FRESH_NODE);
        }
    };

    private final String title;
    private final Span span;

    RestoreFault(String title, Span span) {
        this.title = title;
        this.span = span;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Span span() {
        return span;
    }

    /** The longer it is away, the longer the nodes wait before they try to connect again, and the more their returns differ. */
    private static void restart(Strike strike) throws Exception {
        RedisProcess redis = ((Standalone) strike.group().topology()).primary();
        redis.kill();
        TimeUnit.MILLISECONDS.sleep(strike.between(0, 1000));
        redis.restart();
    }

    private static void takeSnapshotOlderThanALease(Strike strike) throws Exception {
        ((Standalone) strike.group().topology()).primary().saveSnapshot();
        strike.outlastALease();
    }
}
