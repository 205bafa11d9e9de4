package dev.election.internal.log;

import dev.election.AssignedRole;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.internal.log.TogetherLog.Kind;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Logs one line for each transition and each incident. It is a listener, so that a log appender that blocks can't delay a renewal. */
public final class TransitionLog implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Supplier<String> node;

    /**
     * When somebody was last known to lead, by election, for elections without a leader. Events of one election arrive one after the other.
     */
    private final Map<String, LastLed> lastLed = new ConcurrentHashMap<>();

    /** The leader that is followed, or was until it was lost, by election. */
    private final Map<String, Leader> followed = new ConcurrentHashMap<>();

    /** The elections that were logged as leaderless. */
    private final Set<String> leaderless = ConcurrentHashMap.newKeySet();

    /** The elections that this node leads. */
    private final Set<String> led = ConcurrentHashMap.newKeySet();

    /** The other applications that were logged. */
    private final LogLimit otherApplications = LogLimit.once();

    private final String separatedBy;
    private final IncidentLog incidents;
    private final TogetherLog together;

    /**
     * @param node the id of this node
     * @param location the place of the store
     * @param separatedBy the setting that separates applications that share the store
     * @param elections the number of elections
     * @param partitions the number of partitions of each group, by its name
     * @param later runs tasks after a second
     */
    public TransitionLog(
            Supplier<String> node,
            String location,
            String separatedBy,
            IntSupplier elections,
            Map<String, Integer> partitions,
            Executor later) {
        this.node = node;
        this.separatedBy = separatedBy;
        int inGroups = partitions.values().stream().mapToInt(Integer::intValue).sum();
        this.together = new TogetherLog(log, () -> elections.getAsInt() - inGroups, partitions, led::contains, later);
        this.incidents = new IncidentLog(node, location, elections);
    }

    @Override
    public void onElectionStarted(LeadershipEvent.ElectionStarted event) {
        Leader last = followed.get(event.election());
        boolean isLost = lastLed.containsKey(event.election());
        boolean hasReleased = !event.since().isBefore(event.at());
        if (last != null || isLost) {
            lastLed.merge(
                    event.election(),
                    new LastLed(event.since(), last == null || hasReleased ? null : last.node()),
                    (known, told) -> known.at.isBefore(told.at) ? known : told);
        }
        if (last == null || !isLost || hasReleased || !incidents.isLoggedAsLeaderless(event.election())) {
            return;
        }
        leaderless.add(event.election());
        if (incidents.isAway(event.election())) {
            log.info(
                    "{} knows no leader of the election '{}' while the store does not answer. Other elections are not logged",
                    node.get(),
                    event.election());
            return;
        }
        together.log(
                new Kind(Level.INFO, node.get() + " knows no leader of ", " that " + last.node() + " led"),
                event.election(),
                "",
                "{} knows no leader of the election '{}': {} (token {}) has not been known to renew its lease for {}",
                node.get(),
                event.election(),
                last.node(),
                last.token(),
                ReadableDuration.of(Duration.between(event.since(), event.at())));
    }

    /** Logs the lines that wait now, and lets no later one wait. */
    public void close() {
        together.close();
    }

    @Override
    public void onRecovering(LeadershipEvent.Recovering event) {
        log.info(
                "{} leads the election '{}' with token {} and recovers before it admits work: {}",
                node.get(),
                event.election(),
                event.leader().token(),
                event.recovery());
    }

    @Override
    public void onRecoveryFailed(LeadershipEvent.RecoveryFailed event) {
        log.warn(
                "{} gives the election '{}' up: the recovery {} failed: {}",
                node.get(),
                event.election(),
                event.recovery(),
                event.reason());
    }

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
        leaderless.remove(event.election());
        followed.remove(event.election());
        led.add(event.election());
        together.log(
                new Kind(Level.INFO, node.get() + " leads ", ""),
                event.election(),
                tokenOf(event.leader().token()),
                "{} leads the election '{}' with token {}{}",
                node.get(),
                event.election(),
                event.leader().token(),
                leaderless(event));
    }

    @Override
    public void onResigning(LeadershipEvent.Resigning event) {
        String why = event.reason() + (event.requestedBy() == null ? "" : reasonOf(event) + event.requestedBy());
        together.log(
                new Kind(Level.INFO, node.get() + " resigns from ", " (" + why + ")"),
                event.election(),
                "",
                "{} resigns from the election '{}' ({}): it accepts no new work, waits for running work and releases the lease",
                node.get(),
                event.election(),
                why);
    }

    private static String reasonOf(LeadershipEvent.Resigning event) {
        return event.reason() == LossReason.PREEMPTED ? ": " : ", requested by ";
    }

    @Override
    public void onResumed(LeadershipEvent.Resumed event) {
        log.info(
                "{} goes on as the leader of the election '{}': its running work took longer than the drain time",
                node.get(),
                event.election());
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        led.remove(event.election());
        together.log(
                new Kind(
                        event.reason().isOrderly() ? Level.INFO : Level.WARN,
                        node.get() + " no longer leads ",
                        " (" + event.reason() + ")"),
                event.election(),
                tokenOf(event.token()),
                "{} no longer leads the election '{}' ({}) after {} with token {}",
                node.get(),
                event.election(),
                said(event.reason()),
                ReadableDuration.of(event.held()),
                event.token());
        lastLed.put(event.election(), new LastLed(event.at(), null));
        incidents.lost(event);
    }

    @Override
    public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
        Leader leader = event.leader().orElse(null);
        if (leader != null && leader.node().equals(node.get())) {
            followed.remove(event.election());
        } else if (leader != null) {
            followed(event, leader);
        } else if (followed.containsKey(event.election())) {
            lastLed.put(event.election(), new LastLed(event.at(), null));
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
                .filter(otherApplications::begins)
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
        boolean saidThatNobodyLeads = leaderless.remove(event.election());
        Leader before = followed.put(event.election(), leader);
        boolean hasLedOn = before != null && before.token().equals(leader.token());
        String without = leaderless(event);
        if (hasLedOn && !saidThatNobodyLeads) {
            log.debug("{} still follows {} in the election '{}'", node.get(), leader.node(), event.election());
            return;
        }
        together.log(
                new Kind(
                        Level.INFO,
                        node.get() + " follows " + leader.node() + " at " + leader.address() + " in ",
                        hasLedOn ? ", as before" : ""),
                event.election(),
                tokenOf(leader.token()),
                "{} follows {} at {} in the election '{}', token {}{}",
                node.get(),
                leader.node(),
                leader.address(),
                event.election(),
                leader.token(),
                hasLedOn ? ", as before" : without);
    }

    private static String tokenOf(FencingToken token) {
        return " (token " + token + ")";
    }

    private static String said(LossReason reason) {
        return switch (reason) {
            case ABDICATED, PREEMPTED, STOPPED -> reason.name();
            case EXPIRED -> "EXPIRED: it was paused for longer than its lease, or the store no longer had the lease";
            case STORE_ERROR -> "STORE_ERROR: requests to the store failed or were not answered until its lease ended";
            case SUPERSEDED -> "SUPERSEDED: the store says that another node leads";
            case EVICTED -> "EVICTED: it did not react to a request to abdicate, and its lease was taken away";
        };
    }

    /** Returns for how long nobody led, at most, or how long ago somebody is last known to have led; empty if no leader was known before. */
    private String leaderless(LeadershipEvent event) {
        LastLed since = lastLed.remove(event.election());
        if (since == null) {
            return "";
        }
        String time = ReadableDuration.of(Duration.between(since.at, event.at()));
        return since.renewedBy == null
                ? ", after at most " + time + " without a leader"
                : ", " + time + " after the last renewal of " + since.renewedBy + " that this node knows of";
    }

    /**
     * The last known moment of a leadership.
     *
     * @param renewedBy the node that renewed its lease at that moment and may have led on for a lease; {@code null} if the leadership ended then
     */
    private record LastLed(Instant at, @Nullable String renewedBy) {}
}
