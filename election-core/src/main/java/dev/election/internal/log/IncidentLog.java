package dev.election.internal.log;

import dev.election.LeadershipEvent;
import dev.election.StoreProblem;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashSet;
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
public final class IncidentLog {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Problems that one outage causes; which of them an election sees depends on its timing. */
    private static final Set<StoreProblem> AWAY =
            EnumSet.of(StoreProblem.UNREACHABLE, StoreProblem.TIMED_OUT, StoreProblem.LOADING);

    /** Value of {@link #leaderless} that is no name of an election. */
    private static final String FOLLOWED = "";

    private final Supplier<String> node;
    private final String location;
    private final IntSupplier elections;

    /** The elections whose own keys the store refuses. */
    private final Set<String> refused = new HashSet<>();

    /** The elections that this node has left, for which it may send no request for a long time. */
    private final Set<String> departed = new HashSet<>();

    /** The elections that get no answer. */
    private final Set<String> unanswered = new HashSet<>();

    /** The elections that got no answer at any time in this incident. */
    private final Set<String> affected = new HashSet<>();

    private final Set<StoreProblem> told = EnumSet.noneOf(StoreProblem.class);
    private Instant since = Instant.MIN;

    /** The one election that was logged as leaderless in this incident; {@link #FOLLOWED} once this node knows its leader again. */
    private @Nullable String leaderless;

    /** The elections whose lease is at risk. */
    private final Set<String> atRisk = new HashSet<>();

    /** Number of leases that were at risk in this incident and have been renewed. */
    private int renewedAgain;

    private String lastRenewed = "";

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
        departed.remove(event.election());
        if (event.problem() == StoreProblem.WRONG_TYPE) {
            if (refused.add(event.election())) {
                log.warn(
                        "{} rejects the requests of election '{}': {}. The requests are retried. ({}: {})",
                        location,
                        event.election(),
                        event.action(),
                        event.problem(),
                        event.detail());
            }
            return;
        }
        if (unanswered.isEmpty()) {
            since = event.at();
            affected.clear();
            told.clear();
            leaderless = null;
        }
        unanswered.add(event.election());
        affected.add(event.election());
        if (isNew(event.problem())) {
            log.warn(
                    "No usable reply from {}: {}. Elections of {} that use it: {}. Requests are retried; a leader leads until"
                            + " its lease has ended. (First seen in '{}': {}: {})",
                    location,
                    event.action(),
                    node.get(),
                    elections.getAsInt(),
                    event.election(),
                    event.problem(),
                    event.detail());
        }
    }

    synchronized void recovered(LeadershipEvent.StoreRecovered event) {
        departed.remove(event.election());
        boolean wasRefused = refused.remove(event.election());
        boolean wasUnanswered = !unanswered.isEmpty();
        unanswered.remove(event.election());
        if (wasUnanswered && unanswered.stream().noneMatch(this::isAwaited)) {
            unanswered.clear();
            log.info(
                    "{} replies again after {}. Elections of {} that were affected: {} of {}",
                    location,
                    ReadableDuration.of(Duration.between(since, event.at())),
                    node.get(),
                    affected.size(),
                    elections.getAsInt());
        } else if (wasRefused) {
            log.info("{} accepts the requests of election '{}' again", location, event.election());
        }
    }

    /** Logs only the first lease at risk, until each lease at risk is renewed or lost. */
    synchronized void atRisk(LeadershipEvent.LeaseAtRisk event) {
        if (atRisk.isEmpty()) {
            renewedAgain = 0;
        }
        if (atRisk.add(event.election()) && atRisk.size() == 1) {
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
        renewedAgain++;
        lastRenewed = event.election();
        endRisk(event.election());
    }

    /**
     * Records that this node, which follows, knows no leader any more.
     *
     * @return whether the caller has to log that, since it is no part of an outage
     */
    synchronized boolean leaderless(String election) {
        if (!unanswered.contains(election)) {
            return true;
        }
        if (leaderless == null) {
            leaderless = election;
            log.info(
                    "{} knows no leader of the election '{}' while the store does not answer. Other elections are not logged",
                    node.get(),
                    election);
        }
        return false;
    }

    /** Records that this node follows a leader. Returns whether it was logged in this incident that it knows none. */
    synchronized boolean follows(String election) {
        if (!election.equals(leaderless)) {
            return false;
        }
        leaderless = FOLLOWED;
        return true;
    }

    synchronized void lost(LeadershipEvent.Lost event) {
        endRisk(event.election());
        if (event.reason().isOrderly()) {
            departed.add(event.election());
        }
    }

    /** Whether the incident lasts until this election gets an answer. */
    private boolean isAwaited(String election) {
        return !refused.contains(election) && !departed.contains(election);
    }

    private void endRisk(String election) {
        if (atRisk.remove(election) && atRisk.isEmpty() && renewedAgain > 0) {
            log.info(
                    "{} has renewed its lease of the election '{}' again. Leases that were at risk and have been renewed: {}",
                    node.get(),
                    lastRenewed,
                    renewedAgain);
        }
    }

    private boolean isNew(StoreProblem problem) {
        return told.add(AWAY.contains(problem) ? StoreProblem.UNREACHABLE : problem);
    }
}
