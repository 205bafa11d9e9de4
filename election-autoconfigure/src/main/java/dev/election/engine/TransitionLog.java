package dev.election.engine;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One line a transition. A listener like any other, so that a log appender that blocks can't delay a renewal. */
final class TransitionLog implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final String node;

    /** When the last contest of each election began. Events of one election come one after the other. */
    private final Map<String, Instant> contested = new ConcurrentHashMap<>();

    TransitionLog(String node) {
        this.node = node;
    }

    @Override
    public void onElectionStarted(LeadershipEvent.ElectionStarted event) {
        contested.put(event.election(), event.at());
    }

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
        log.info(
                "{} leads the election '{}' with token {}, after {} without a leader",
                node,
                event.election(),
                event.leader().token(),
                leaderless(event));
    }

    @Override
    public void onResigning(LeadershipEvent.Resigning event) {
        log.info(
                "{} resigns in the election '{}' ({}): no new work, then the lease is released",
                node,
                event.election(),
                event.reason());
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        log.info(
                "{} no longer leads the election '{}' ({}) after {} with token {}",
                node,
                event.election(),
                event.reason(),
                event.held(),
                event.token());
    }

    @Override
    public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
        event.leader()
                .filter(leader -> !leader.node().equals(node))
                .ifPresent(leader -> log.info(
                        "{} follows {} at {} in the election '{}', token {}, after {} without a leader",
                        node,
                        leader.node(),
                        leader.address(),
                        event.election(),
                        leader.token(),
                        leaderless(event)));
    }

    @Override
    public void onLeaseAtRisk(LeadershipEvent.LeaseAtRisk event) {
        log.warn(
                "{} has not renewed its lease of the election '{}' for half of it: in {} it no longer leads. Token {}",
                node,
                event.election(),
                event.remaining(),
                event.token());
    }

    @Override
    public void onLeaseSecured(LeadershipEvent.LeaseSecured event) {
        log.info(
                "{} has renewed its lease of the election '{}' again, token {}", node, event.election(), event.token());
    }

    @Override
    public void onStoreFailed(LeadershipEvent.StoreFailed event) {
        log.warn(
                "The election '{}' has no answer from its store: {}. It goes on trying. ({}: {})",
                event.election(),
                event.problem().mend(),
                event.problem(),
                event.detail());
    }

    @Override
    public void onStoreRecovered(LeadershipEvent.StoreRecovered event) {
        log.info("The store answers the election '{}' again", event.election());
    }

    private Duration leaderless(LeadershipEvent event) {
        return Duration.between(contested.getOrDefault(event.election(), event.at()), event.at());
    }
}
