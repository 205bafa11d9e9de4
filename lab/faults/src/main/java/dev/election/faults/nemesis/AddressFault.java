package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.OLD_RECORD;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.DatabaseAddress;
import dev.election.faults.world.DatabasePair;
import dev.election.faults.world.Member;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A failover that is taken back: the address of a PostgreSQL leads to its standby, which is promoted, and then to the old primary again, which
 * has run all the time. The leader reaches it last.
 */
public enum AddressFault implements Fault {
    TAKEN_BACK("a failover is taken back, and a node has just started") {
        @Override
        void await(Strike strike, Member other) throws Exception {
            strike.replaceCutOff(other);
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(
                    OTHER_PRIMARY, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER, FRESH_NODE);
        }
    },
    TAKEN_BACK_UNSEEN("a failover is taken back, and a node has not reached the promoted standby") {
        @Override
        void await(Strike strike, Member other) {}

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(
                    OTHER_PRIMARY, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER, OLD_RECORD);
        }
    };

    private final String title;

    AddressFault(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Span span() {
        return Span.LONG;
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        DatabaseAddress address = (DatabaseAddress) strike.group().topology();
        DatabasePair pair = address.pair();
        Member other = Target.FOLLOWER.in(strike.group(), strike.random()).get(0);
        List<Member> witnesses = strike.group().members().stream()
                .filter(member -> !member.equals(other))
                .toList();
        address.link(other.place()).refuse();
        pair.promote();
        witnesses.forEach(witness -> address.lead(witness.place()));
        await(strike, other);
        strike.outlastALease();
        strike.awaitLeader();
        Member leader = Target.LEADER.in(strike.group(), strike.random()).get(0);
        pair.takeBack();
        address.link(leader.place()).refuse();
        strike.group().members().forEach(member -> address.lead(member.place()));
        address.link(other.place()).open();
        return () -> {
            address.link(leader.place()).open();
            // Whoever has seen the promoted server writes nothing on the old one.
            witnesses.forEach(witness -> witness.process().kill());
            Member.restart(witnesses);
            pair.replaceStandby();
        };
    }

    /** While the address leads to the promoted server, which the other one does not reach. */
    abstract void await(Strike strike, Member other) throws Exception;
}
