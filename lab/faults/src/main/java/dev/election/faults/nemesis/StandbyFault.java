package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LATE_REQUESTS;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.TWO_PRIMARIES;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.DatabasePair;
import dev.election.faults.world.Member;
import dev.election.harness.Link;
import dev.election.harness.PostgresServer;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Harm to a PostgreSQL with a standby. Afterwards the old primary follows the new one, with its data. */
public enum StandbyFault implements Fault {
    PROMOTED("`kill -9` of the primary, and the standby is promoted") {
        @Override
        Healing harm(DatabasePair pair, Strike strike) throws Exception {
            pair.primary().kill();
            pair.promote();
            return pair::replaceStandby;
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return failover();
        }
    },
    PROMOTED_LAGGING("the same with a standby that has received nothing for longer than a lease") {
        @Override
        public void prepare(Strike strike) throws Exception {
            pair(strike).cut();
            TimeUnit.NANOSECONDS.sleep(strike.group().lease().toNanos() * 3 / 2);
        }

        @Override
        Healing harm(DatabasePair pair, Strike strike) throws Exception {
            return PROMOTED.harm(pair, strike);
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return failover();
        }
    },
    OLD_PRIMARY_LIVES("the standby is promoted, and the leader still reaches the old primary, the others do not") {
        @Override
        Healing harm(DatabasePair pair, Strike strike) throws Exception {
            return splitWithLeader(pair, strike);
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, SUSPECT_STORE, TWO_PRIMARIES);
        }
    },
    OLD_PRIMARY_LIVES_SYNCHRONOUS("the same where commits wait for the standby (`synchronous_standby_names`)") {
        @Override
        public void prepare(Strike strike) throws Exception {
            pair(strike).wait(true);
        }

        @Override
        Healing harm(DatabasePair pair, Strike strike) throws Exception {
            return splitWithLeader(pair, strike);
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER);
        }
    },
    OLD_PRIMARY_RETURNS("SIGSTOP of the primary, the standby is promoted, SIGCONT; a node has just started") {
        @Override
        Healing harm(DatabasePair pair, Strike strike) throws Exception {
            PostgresServer old = failOver(pair, strike);
            Member beginner =
                    Target.FOLLOWER.in(strike.group(), strike.random()).get(0);
            beginner.process().kill();
            old.thaw();
            Member.restart(List.of(beginner));
            return pair::replaceStandby;
        }

        @Override
        public Span span() {
            return Span.LONG;
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(
                    OTHER_PRIMARY, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER, FRESH_NODE);
        }
    },
    OLD_PRIMARY_FOUND("the same, and a follower connects anew, which has seen the new primary") {
        @Override
        Healing harm(DatabasePair pair, Strike strike) throws Exception {
            PostgresServer old = failOver(pair, strike);
            old.thaw();
            // For so long the driver remembers that it was silent.
            TimeUnit.SECONDS.sleep(11);
            Member follower =
                    Target.FOLLOWER.in(strike.group(), strike.random()).get(0);
            Link link = pair.link(follower.place(), pair.primary());
            link.refuse();
            link.open();
            return pair::replaceStandby;
        }

        @Override
        public Span span() {
            return Span.LONG;
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(OTHER_PRIMARY, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER);
        }
    },
    SILENT_STANDBY("nothing passes to the standby, for which commits wait") {
        @Override
        public Span span() {
            return Span.LONG;
        }

        @Override
        public void prepare(Strike strike) throws Exception {
            pair(strike).wait(true);
        }

        @Override
        Healing harm(DatabasePair pair, Strike strike) {
            pair.cut();
            return () -> {
                pair.rejoin();
                pair.wait(false);
            };
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(NO_ELECTION, ORPHANED_LEASE, LATE_REQUESTS, LOST_CONNECTIONS);
        }
    };

    private final String title;

    StandbyFault(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm(pair(strike), strike);
    }

    abstract Healing harm(DatabasePair pair, Strike strike) throws Exception;

    private static DatabasePair pair(Strike strike) {
        return (DatabasePair) strike.group().topology();
    }

    private static Set<Consequence> failover() {
        return EnumSet.of(
                NO_ELECTION, OTHER_PRIMARY, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER);
    }

    /** The primary hangs, its standby is promoted, and the nodes lead there. The driver would take the old one first: the URL names it so. */
    private static PostgresServer failOver(DatabasePair pair, Strike strike) throws Exception {
        if (!pair.isPrimaryNamedFirst()) {
            pair.primary().kill();
            pair.promote();
            pair.replaceStandby();
            pair.awaitHealth();
            strike.awaitLeader();
        }
        PostgresServer old = pair.primary();
        old.freeze();
        pair.promote();
        strike.outlastALease();
        strike.awaitLeader();
        return old;
    }

    /** For longer than the new primary may grant nothing. */
    private static Healing splitWithLeader(DatabasePair pair, Strike strike) throws Exception {
        List<Member> leader = Target.LEADER.in(strike.group(), strike.random());
        pair.promote();
        pair.hideStandbyFrom(strike.group().members().stream()
                .filter(member -> !leader.contains(member))
                .map(Member::place));
        return () -> {
            TimeUnit.NANOSECONDS.sleep(strike.group().lease().toNanos() * 3);
            pair.replaceStandby();
        };
    }
}
