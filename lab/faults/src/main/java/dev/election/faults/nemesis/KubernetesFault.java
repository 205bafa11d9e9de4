package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Kubernetes;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import java.util.EnumSet;
import java.util.Set;

/** Harm to an API server and to the etcd below it. */
public enum KubernetesFault implements Fault {
    KILL_API("`kill -9` of the API server, started again", Span.ANY, Kind.AWAY, (kubernetes, strike) -> {
        kubernetes.server().kill();
        return kubernetes.server()::start;
    }),
    RESTART_API("the API server is restarted in order", Span.NONE, Kind.AWAY, (kubernetes, strike) -> {
        kubernetes.server().stop();
        return kubernetes.server()::start;
    }),
    FREEZE_API("SIGSTOP of the API server", Span.ANY, Kind.AWAY, (kubernetes, strike) -> {
        kubernetes.server().freeze();
        return kubernetes.server()::thaw;
    }),
    KILL_ETCD("`kill -9` of etcd, started again", Span.ANY, Kind.AWAY, (kubernetes, strike) -> {
        kubernetes.server().killEtcd();
        return kubernetes.server()::startEtcd;
    }),
    RESTORE_ALL(
            "etcd restored from a snapshot older than the lease, API server restarted",
            Span.NONE,
            Kind.RESTORED,
            (kubernetes, strike) -> {
                kubernetes.server().restore();
                return Healing.NONE;
            }),
    RESTORE_ETCD("the same below the running API server", Span.NONE, Kind.RESTORED, (kubernetes, strike) -> {
        kubernetes.server().restoreBelow();
        return kubernetes.server()::awaitAnswer;
    }),
    RESTORE_ETCD_LEADER_CUT(
            "the same while the leader is cut off", Span.LONG, Kind.RESTORED_UNSEEN, (kubernetes, strike) -> {
                Link link = kubernetes.link(
                        Target.LEADER.in(strike.group(), strike.random()).get(0).place());
                link.become(Conditions.CUT);
                kubernetes.server().restoreBelow();
                kubernetes.server().awaitAnswer();
                return () -> link.become(Conditions.FINE);
            });

    private final String title;
    private final Span span;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Harm harm;

    KubernetesFault(String title, Span span, Kind kind, Harm harm) {
        this.title = title;
        this.span = span;
        this.kind = kind;
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

    /** A process that is away between the snapshot and the restore sees no version fall. */
    @Override
    public boolean isAlone() {
        return kind != Kind.AWAY;
    }

    /** After a gap nothing is granted for a lease, in which that of the last leader ends, too. */
    @Override
    public Set<Consequence> consequences(Target target) {
        return switch (kind) {
            case AWAY -> EnumSet.of(NO_ELECTION, ORPHANED_LEASE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
            case RESTORED -> EnumSet.of(NO_ELECTION, SUSPECT_STORE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
            case RESTORED_UNSEEN -> EnumSet.of(ORPHANED_LEASE, SUSPECT_STORE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
        };
    }

    @Override
    public void prepare(Strike strike) throws Exception {
        if (isAlone()) {
            ((Kubernetes) strike.group().topology()).server().snapshot();
            strike.outlastALease();
        }
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm.of((Kubernetes) strike.group().topology(), strike);
    }

    private interface Harm {
        Healing of(Kubernetes kubernetes, Strike strike) throws Exception;
    }

    private enum Kind {
        AWAY,
        RESTORED,
        /** No connection ends and nobody writes: the others look when the lease that they know has ended. */
        RESTORED_UNSEEN
    }
}
