package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Etcd;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import java.util.EnumSet;
import java.util.Set;

/** Harm to the only member of an etcd. */
public enum EtcdFault implements Fault {
    KILL_MEMBER("`kill -9` of etcd, started again", Span.ANY, false, (etcd, strike) -> {
        etcd.server().kill();
        return etcd.server()::start;
    }),
    FREEZE_MEMBER("SIGSTOP of etcd", Span.ANY, false, (etcd, strike) -> {
        etcd.server().freeze();
        return etcd.server()::thaw;
    }),
    RESTORE_MEMBER("etcd restored from a snapshot older than the lease", Span.NONE, true, (etcd, strike) -> {
        etcd.server().restore();
        return Healing.NONE;
    }),
    RESTORE_MEMBER_LEADER_CUT("the same while the leader is cut off", Span.LONG, true, (etcd, strike) -> {
        Link link = etcd.link(
                Target.LEADER.in(strike.group(), strike.random()).get(0).place());
        link.become(Conditions.CUT);
        etcd.server().restore();
        return () -> link.become(Conditions.FINE);
    });

    private final String title;
    private final Span span;
    private final boolean isRestore;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Harm harm;

    EtcdFault(String title, Span span, boolean isRestore, Harm harm) {
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
            etcd(strike).server().snapshot();
            strike.outlastALease();
        }
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm.of(etcd(strike), strike);
    }

    private static Etcd etcd(Strike strike) {
        return (Etcd) strike.group().topology();
    }

    private interface Harm {
        Healing of(Etcd etcd, Strike strike) throws Exception;
    }
}
