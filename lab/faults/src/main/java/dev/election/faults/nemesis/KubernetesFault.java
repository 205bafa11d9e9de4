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
    KILL_API("`kill -9` of the API server, started again", Span.ANY, false, (kubernetes, strike) -> {
        kubernetes.server().kill();
        return kubernetes.server()::start;
    }),
    RESTART_API("the API server is restarted in order", Span.NONE, false, (kubernetes, strike) -> {
        kubernetes.server().stop();
        return kubernetes.server()::start;
    }),
    FREEZE_API("SIGSTOP of the API server", Span.ANY, false, (kubernetes, strike) -> {
        kubernetes.server().freeze();
        return kubernetes.server()::thaw;
    }),
    KILL_ETCD("`kill -9` of etcd, started again", Span.ANY, false, (kubernetes, strike) -> {
        kubernetes.server().killEtcd();
        return kubernetes.server()::startEtcd;
    }),
    RESTORE_ALL(
            "etcd restored from a snapshot older than the lease, API server restarted",
            Span.NONE,
            true,
            (kubernetes, strike) -> {
                kubernetes.server().restore();
                return Healing.NONE;
            }),
    RESTORE_ETCD("the same below the running API server", Span.NONE, true, (kubernetes, strike) -> {
        kubernetes.server().restoreBelow();
        return kubernetes.server()::awaitAnswer;
    }),
    RESTORE_ETCD_LEADER_CUT("the same while the leader is cut off", Span.LONG, true, (kubernetes, strike) -> {
        Link link = kubernetes.link(
                Target.LEADER.in(strike.group(), strike.random()).get(0).place());
        link.become(Conditions.CUT);
        kubernetes.server().restoreBelow();
        kubernetes.server().awaitAnswer();
        return () -> link.become(Conditions.FINE);
    });

    private final String title;
    private final Span span;
    private final boolean isRestore;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Harm harm;

    KubernetesFault(String title, Span span, boolean isRestore, Harm harm) {
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

    /** A process that is away between the snapshot and the restore sees no version fall. */
    @Override
    public boolean isAlone() {
        return isRestore;
    }

    /** The lease that nothing is granted for after a gap passes together with that of the last leader. */
    @Override
    public Set<Consequence> consequences(Target target) {
        EnumSet<Consequence> all = EnumSet.of(LOST_CONNECTIONS, UNREACHABLE_LEADER);
        all.add(isRestore ? SUSPECT_STORE : ORPHANED_LEASE);
        if (this != RESTORE_ETCD_LEADER_CUT) {
            all.add(NO_ELECTION);
        }
        return all;
    }

    @Override
    public void prepare(Strike strike) throws Exception {
        if (isRestore) {
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
}
