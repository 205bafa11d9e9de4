package dev.election.internal.engine;

import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
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

    /** The token of the leader that was followed last in each election. */
    private final Map<String, Long> followed = new ConcurrentHashMap<>();

    /** Those of which it was said that they take part, too. */
    private final Set<String> otherApplications = ConcurrentHashMap.newKeySet();

    private final String separatedBy;
    private final IncidentLog incidents;

    /**
     * @param node the id of this node
     * @param separatedBy what separates applications that share the store
     * @param elections how many elections there are
     */
    TransitionLog(Supplier<String> node, String separatedBy, IntSupplier elections) {
        this.node = node;
        this.separatedBy = separatedBy;
        this.incidents = new IncidentLog(node, elections);
    }

    @Override
    public void onElectionStarted(LeadershipEvent.ElectionStarted event) {
        leaderlessSince.put(event.election(), event.at());
    }

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
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
                "{} resigns from the election '{}' ({}): it accepts no new work, waits for running work and releases the lease",
                node.get(),
                event.election(),
                event.reason());
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        log.info(
                "{} no longer leads the election '{}' ({}) after {} with token {}",
                node.get(),
                event.election(),
                event.reason(),
                ReadableDuration.of(event.held()),
                event.token());
        incidents.lost(event);
    }

    @Override
    public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
        event.leader().filter(leader -> !leader.node().equals(node.get())).ifPresent(leader -> followed(event, leader));
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
        Long before = followed.put(event.election(), leader.token().value());
        if (before != null && before == leader.token().value()) {
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

    private String leaderless(LeadershipEvent event) {
        return ReadableDuration.of(
                Duration.between(leaderlessSince.getOrDefault(event.election(), event.at()), event.at()));
    }
}
