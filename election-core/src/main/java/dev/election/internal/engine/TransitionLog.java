package dev.election.internal.engine;

import dev.election.AssignedRole;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line a transition, and one an incident. A listener like any other, so that a log appender that blocks can't delay a renewal. */
final class TransitionLog implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Supplier<String> node;

    /** Since when each election had no leader the last time. Events of one election come one after the other. */
    private final Map<String, Instant> leaderlessSince = new ConcurrentHashMap<>();

    /** The other node that leads now, by election. */
    private final Map<String, Leader> following = new ConcurrentHashMap<>();

    /** The token of the leader that was followed last in each election. */
    private final Map<String, Long> followed = new ConcurrentHashMap<>();

    /** The leader that was followed until now, by election: to say so once if nobody leads. */
    private final Map<String, Leader> gone = new ConcurrentHashMap<>();

    /** The elections of which it was said that nobody leads. */
    private final Set<String> leaderless = ConcurrentHashMap.newKeySet();

    /** Those of which it was said that they take part, too. */
    private final Set<String> otherApplications = ConcurrentHashMap.newKeySet();

    private final String separatedBy;
    private final IncidentLog incidents;

    /**
     * @param node the id of this node
     * @param location where the store is
     * @param separatedBy what separates applications that share the store
     * @param elections how many elections there are
     */
    TransitionLog(Supplier<String> node, String location, String separatedBy, IntSupplier elections) {
        this.node = node;
        this.separatedBy = separatedBy;
        this.incidents = new IncidentLog(node, location, elections);
    }

    @Override
    public void onElectionStarted(LeadershipEvent.ElectionStarted event) {
        leaderlessSince.put(event.election(), event.since());
        Leader last = gone.remove(event.election());
        boolean hasReleased = !event.since().isBefore(event.at());
        if (last != null && !hasReleased && incidents.leaderless(event.election())) {
            leaderless.add(event.election());
            log.info(
                    "{} knows no leader of the election '{}': {} (token {}) has not been known to renew its lease for {}",
                    node.get(),
                    event.election(),
                    last.node(),
                    last.token(),
                    leaderless(event));
        }
    }

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
        leaderless.remove(event.election());
        following.remove(event.election());
        log.info(
                "{} leads the election '{}' with token {}, after {} without a leader",
                node.get(),
                event.election(),
                event.leader().token(),
                leaderless(event));
    }

    @Override
    public void onResigning(LeadershipEvent.Resigning event) {
        log.info(
                "{} resigns from the election '{}' ({}{}): it accepts no new work, waits for running work and releases the lease",
                node.get(),
                event.election(),
                event.reason(),
                event.requestedBy() == null ? "" : ", requested by " + event.requestedBy());
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        String text = "{} no longer leads the election '{}' ({}) after {} with token {}";
        Object[] values = {
            node.get(), event.election(), said(event.reason()), ReadableDuration.of(event.held()), event.token()
        };
        if (isIntended(event.reason())) {
            log.info(text, values);
        } else {
            log.warn(text, values);
        }
        incidents.lost(event);
    }

    @Override
    public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
        Leader known = following.remove(event.election());
        Leader leader = event.leader().orElse(null);
        if (leader == null) {
            if (known != null) {
                gone.put(event.election(), known);
            }
        } else if (!leader.node().equals(node.get())) {
            following.put(event.election(), leader);
            followed(event, leader);
        }
    }

    @Override
    public void onRoleChanged(LeadershipEvent.RoleChanged event) {
        log.info(
                event.role() == AssignedRole.OBSERVER
                        ? "{} is an observer of the election '{}' from now on: it does not campaign"
                        : "{} is a candidate in the election '{}' from now on",
                node.get(),
                event.election());
    }

    @Override
    public void onLeaseAtRisk(LeadershipEvent.LeaseAtRisk event) {
        incidents.atRisk(event);
    }

    @Override
    public void onLeaseSecured(LeadershipEvent.LeaseSecured event) {
        incidents.secured(event);
    }

    @Override
    public void onStoreFailed(LeadershipEvent.StoreFailed event) {
        incidents.failed(event);
    }

    @Override
    public void onStoreRecovered(LeadershipEvent.StoreRecovered event) {
        incidents.recovered(event);
    }

    @Override
    public void onApplicationsDiffer(LeadershipEvent.ApplicationsDiffer event) {
        event.others().stream()
                .filter(otherApplications::add)
                .forEach(other -> log.warn(
                        "The application '{}' also takes part in the election '{}' of '{}', and perhaps in others: only one of"
                                + " the two leads, and the guarded work of the other does not run. Set a different {}"
                                + " in each, or give them the same application name if they are one application",
                        other,
                        event.election(),
                        event.application(),
                        separatedBy));
    }

    private void followed(LeadershipEvent event, Leader leader) {
        gone.remove(event.election());
        boolean saidThatNobodyLeads = leaderless.remove(event.election());
        Long before = followed.put(event.election(), leader.token().value());
        if (!saidThatNobodyLeads && before != null && before == leader.token().value()) {
            log.debug("{} still follows {} in the election '{}'", node.get(), leader.node(), event.election());
            return;
        }
        log.info(
                "{} follows {} at {} in the election '{}', token {}, after {} without a leader",
                node.get(),
                leader.node(),
                leader.address(),
                event.election(),
                leader.token(),
                leaderless(event));
    }

    private static boolean isIntended(LossReason reason) {
        return reason == LossReason.ABDICATED || reason == LossReason.STOPPED;
    }

    private static String said(LossReason reason) {
        return switch (reason) {
            case ABDICATED, STOPPED -> reason.name();
            case EXPIRED -> "EXPIRED: it was paused for longer than its lease, or the store no longer had the lease";
            case STORE_ERROR -> "STORE_ERROR: requests to the store failed or were not answered until its lease ended";
            case SUPERSEDED -> "SUPERSEDED: the store says that another node leads";
            case EVICTED -> "EVICTED: it did not react to a request to abdicate, and its lease was taken away";
        };
    }

    private String leaderless(LeadershipEvent event) {
        return ReadableDuration.of(
                Duration.between(leaderlessSince.getOrDefault(event.election(), event.at()), event.at()));
    }
}
