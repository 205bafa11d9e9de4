package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.OneMember;
import dev.election.harness.Conditions;
import dev.election.harness.EtcdServer;
import dev.election.harness.Link;
import java.util.EnumSet;
import java.util.Set;

/** Harm to the only member of an etcd or a ZooKeeper. */
public enum MemberFault implements Fault {
    KILL_MEMBER("`kill -9` of the only member, started again", Span.ANY, false, (member, strike) -> {
        member.server().kill();
        return member.server()::start;
    }),
    FREEZE_MEMBER("SIGSTOP of the only member", Span.ANY, false, (member, strike) -> {
        member.server().freeze();
        return member.server()::thaw;
    }),
    /** Of etcd alone. */
    FILL_MEMBER("the quota of etcd reached", Span.ANY, false, (member, strike) -> {
        EtcdServer etcd = (EtcdServer) member.server();
        etcd.fill();
        return etcd::clear;
    }),
    RESTORE_MEMBER(
            "the only member restored from a snapshot older than the lease", Span.NONE, true, (member, strike) -> {
                member.server().restore();
                return Healing.NONE;
            }),
    RESTORE_MEMBER_LEADER_CUT("the same while the leader is cut off", Span.LONG, true, (member, strike) -> {
        Link link = member.link(
                Target.LEADER.in(strike.group(), strike.random()).get(0).place());
        link.become(Conditions.CUT);
        member.server().restore();
        return () -> link.become(Conditions.FINE);
    });

    /** Those of any store. */
    static final MemberFault[] COMMON =
            EnumSet.complementOf(EnumSet.of(FILL_MEMBER)).toArray(MemberFault[]::new);

    private final String title;
    private final Span span;
    private final boolean isRestore;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Harm harm;

    MemberFault(String title, Span span, boolean isRestore, Harm harm) {
        this.title = title;
        this.span = span;
        this.isRestore = isRestore;
        this.harm = harm;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Span span() {
        return span;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        EnumSet<Consequence> all = EnumSet.of(LOST_CONNECTIONS, ORPHANED_LEASE, UNREACHABLE_LEADER);
        if (isRestore) {
            all.add(SUSPECT_STORE);
        }
        if (this != RESTORE_MEMBER_LEADER_CUT) {
            all.add(NO_ELECTION);
        }
        return all;
    }

    @Override
    public void prepare(Strike strike) throws Exception {
        if (isRestore) {
            member(strike).server().snapshot();
            strike.outlastALease();
        }
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm.of(member(strike), strike);
    }

    private static OneMember member(Strike strike) {
        return (OneMember) strike.group().topology();
    }

    private interface Harm {
        Healing of(OneMember member, Strike strike) throws Exception;
    }
}
