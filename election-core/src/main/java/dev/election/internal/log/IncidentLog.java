package dev.election.internal.log;

import dev.election.LeadershipEvent;
import dev.election.StoreProblem;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import dev.election.support.SharedProblem;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs an outage of the store once for all elections of this process: one line when the store gives no answer, one when it answers again. Leases at
 * risk are logged in the same way. A problem with the keys of one election is logged for that election.
 */
final class IncidentLog {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Problems that one outage causes; which of them an election sees depends on its timing. */
    private static final Set<StoreProblem> AWAY =
            EnumSet.of(StoreProblem.UNREACHABLE, StoreProblem.TIMED_OUT, StoreProblem.LOADING);

    /** The subject of the line that a follower knows no leader, among those of an outage. */
    private static final String LEADERLESS = "leaderless";

    private final Supplier<String> node;
    private final String location;
    private final IntSupplier elections;

    /** The elections whose own keys the store refuses. */
    private final Set<String> refused = new HashSet<>();

    /** The elections that get no answer and ask for one: others that this node has left may send no request for a long time. */
    private final Set<String> unanswered = new HashSet<>();

    /** The leases that may end before they are renewed. */
    private final SharedProblem atRisk = new SharedProblem();

    private @Nullable Outage outage;

    /**
     * @param node the id of this node
     * @param location the place of the store
     * @param elections the number of elections
     */
    IncidentLog(Supplier<String> node, String location, IntSupplier elections) {
        this.node = node;
        this.location = location;
        this.elections = elections;
    }

    synchronized void failed(LeadershipEvent.StoreFailed event) {
        String election = event.election();
        if (event.problem() == StoreProblem.WRONG_TYPE) {
            unanswered.remove(election);
            if (refused.add(election)) {
                log.warn(
                        "{} rejects the requests of election '{}': {}. The requests are retried. ({}: {})",
                        location,
                        election,
                        event.action(),
                        event.problem(),
                        event.detail());
            }
            return;
        }
        Outage now = outage == null ? new Outage(event.at()) : outage;
        outage = now;
        now.affected.add(election);
        if (!refused.contains(election)) {
            unanswered.add(election);
        }
        if (now.lines.begins(AWAY.contains(event.problem()) ? StoreProblem.UNREACHABLE : event.problem())) {
            log.warn(
                    "No usable reply from {}: {}. Elections of {} that use it: {}. Requests are retried; a leader leads until"
                            + " its lease has ended. (First seen in '{}': {}: {})",
                    location,
                    event.action(),
                    node.get(),
                    elections.getAsInt(),
                    election,
                    event.problem(),
                    event.detail());
        }
    }

    synchronized void recovered(LeadershipEvent.StoreRecovered event) {
        boolean wasRefused = refused.remove(event.election());
        unanswered.remove(event.election());
        if (outage != null && unanswered.isEmpty()) {
            log.info(
                    "{} replies again after {}. Elections of {} that were affected: {} of {}",
                    location,
                    ReadableDuration.of(Duration.between(outage.since, event.at())),
                    node.get(),
                    outage.affected.size(),
                    elections.getAsInt());
            outage = null;
        } else if (wasRefused) {
            log.info("{} accepts the requests of election '{}' again", location, event.election());
        }
    }

    /** Whether the store does not answer the requests of an election. */
    synchronized boolean isAway(String election) {
        return unanswered.contains(election);
    }

    /** Whether it is logged that this node, which follows, knows no leader of an election: in an outage, of the first one only. */
    synchronized boolean isLoggedAsLeaderless(String election) {
        return outage == null || !isAway(election) || outage.lines.begins(LEADERLESS);
    }

    synchronized void atRisk(LeadershipEvent.LeaseAtRisk event) {
        if (atRisk.begins(event.election())) {
            log.warn(
                    "{} has not renewed its lease of the election '{}' for half of the lease: it stops leading in {} unless a renewal succeeds."
                            + " Other elections at risk are not logged. Check whether the store replies and whether this process was paused. Token {}",
                    node.get(),
                    event.election(),
                    ReadableDuration.of(event.remaining()),
                    event.token());
        }
    }

    synchronized void secured(LeadershipEvent.LeaseSecured event) {
        endRisk(event.election(), true);
    }

    synchronized void lost(LeadershipEvent.Lost event) {
        endRisk(event.election(), false);
        if (event.reason().isOrderly()) {
            unanswered.remove(event.election());
        }
    }

    private void endRisk(String election, boolean isRenewed) {
        List<String> renewed = atRisk.ends(election, isRenewed);
        if (!renewed.isEmpty()) {
            log.info(
                    "{} has renewed its lease of the election '{}' again. Leases that were at risk and have been renewed: {}",
                    node.get(),
                    renewed.get(renewed.size() - 1),
                    renewed.size());
        }
    }

    /**
     * An outage of the store.
     *
     * @param affected the elections that got no answer at any time in it
     * @param lines limits those about it
     */
    private record Outage(Instant since, Set<String> affected, LogLimit lines) {

        private Outage(Instant since) {
            this(since, new HashSet<>(), LogLimit.once());
        }
    }
}
