package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LATE_REQUESTS;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Sentinels;
import dev.election.harness.RedisProcess;
import java.util.EnumSet;
import java.util.Set;

/** Links to a replica that fall silent and show no end, where a lease counts only with the acknowledgement of the replica. */
public enum AcknowledgedFault implements Fault {
    SILENT_REPLICA("nothing passes between the primary and its replica", Span.LONG) {
        @Override
        Healing harm(Sentinels sentinels, Strike strike) throws Exception {
            RedisProcess primary = sentinels.primary();
            sentinels.links().silenceReplica(primary);
            return sentinels.links()::rejoin;
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(NO_ELECTION, ORPHANED_LEASE, LATE_REQUESTS, LOST_CONNECTIONS);
        }
    },
    SILENT_PARTITION(
            "the primary loses its replica and its Sentinels, but no node, and the leader hears of no Sentinel",
            Span.NONE) {
        @Override
        Healing harm(Sentinels sentinels, Strike strike) throws Exception {
            return PartitionFault.ISOLATED_WITH_LEADER.inject(strike);
        }

        /** The promoted one has no replica before the old one follows it. */
        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(NO_ELECTION, OTHER_PRIMARY, LOST_CONNECTIONS, SUSPECT_STORE);
        }
    };

    private final String title;
    private final Span span;

    AcknowledgedFault(String title, Span span) {
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

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm((Sentinels) strike.group().topology(), strike);
    }

    abstract Healing harm(Sentinels sentinels, Strike strike) throws Exception;
}
