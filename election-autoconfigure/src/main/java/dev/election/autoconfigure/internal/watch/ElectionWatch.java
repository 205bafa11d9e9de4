package dev.election.autoconfigure.internal.watch;

import dev.election.AssignedRole;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.Role;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Records the status of each election. Add it to the elections as a listener. */
public final class ElectionWatch implements LeadershipListener {

    private final Function<String, Duration> leases;
    private final Map<String, ElectionStatus> statuses = new ConcurrentHashMap<>();

    /** @param leases the lease of each election, by name */
    public ElectionWatch(Function<String, Duration> leases) {
        this.leases = leases;
    }

    /** The lease of the election of that name. */
    public Duration lease(String election) {
        return leases.apply(election);
    }

    /** The status of the election of that name. */
    public ElectionStatus of(String election) {
        return statuses.getOrDefault(election, ElectionStatus.NOTHING);
    }

    /** For how long this node has known no leader; zero while it knows one. */
    public Duration leaderless(String election) {
        Long since = of(election).leaderlessSince();
        return since == null ? Duration.ZERO : since(since);
    }

    /** For how long the store has given no usable reply; empty while it does. */
    public Optional<Duration> incident(String election) {
        return Optional.ofNullable(of(election).incident()).map(incident -> since(incident.begun()));
    }

    /** Whether any election gets no usable reply from the store. */
    public boolean hasIncident() {
        return statuses.values().stream().anyMatch(status -> status.incident() != null);
    }

    @Override
    public void onRecovering(LeadershipEvent.Recovering event) {
        note(event, status -> status.recovering(new PresentRecovery(event.recovery(), event.at())));
    }

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
        Transition transition = new Transition(Role.LEADER, "ACQUIRED", event.at());
        note(event, status -> status.after(transition).leaderless(null).recovering(null));
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        Transition transition =
                new Transition(roleAfter(event.reason()), event.reason().name(), event.at());
        boolean takesPart = event.reason() != LossReason.STOPPED;
        note(event, status -> status.after(transition)
                .leaderless(takesPart ? System.nanoTime() : null)
                .recovering(null));
    }

    @Override
    public void onRoleChanged(LeadershipEvent.RoleChanged event) {
        Role role = event.role() == AssignedRole.OBSERVER ? Role.OBSERVER : Role.FOLLOWER;
        note(event, status -> status.after(new Transition(role, "ROLE_CHANGED", event.at())));
    }

    @Override
    public void onElectionStarted(LeadershipEvent.ElectionStarted event) {
        note(event, status -> status.leaderlessSince() != null ? status : status.leaderless(System.nanoTime()));
    }

    @Override
    public void onElectionCompleted(LeadershipEvent.ElectionCompleted event) {
        Transition transition = new Transition(Role.FOLLOWER, "FOLLOWS", event.at());
        note(event, status -> (event.won() || isObserver(status) ? status : status.after(transition)).leaderless(null));
    }

    private static boolean isObserver(ElectionStatus status) {
        Transition last = status.lastTransition();
        return last != null && last.to() == Role.OBSERVER;
    }

    @Override
    public void onStoreFailed(LeadershipEvent.StoreFailed event) {
        note(event, status -> {
            Incident before = status.incident();
            return status.during(new Incident(
                    event.problem(),
                    event.detail(),
                    event.action(),
                    before == null ? event.at() : before.at(),
                    before == null ? System.nanoTime() : before.begun()));
        });
    }

    @Override
    public void onStoreRecovered(LeadershipEvent.StoreRecovered event) {
        note(event, status -> status.during(null));
    }

    @Override
    public void onApplicationsDiffer(LeadershipEvent.ApplicationsDiffer event) {
        note(event, status -> status.beside(event.others()));
    }

    private void note(LeadershipEvent event, UnaryOperator<ElectionStatus> change) {
        statuses.compute(
                event.election(), (name, known) -> change.apply(known == null ? ElectionStatus.NOTHING : known));
    }

    private Duration since(long begun) {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static Role roleAfter(LossReason reason) {
        return switch (reason) {
            case ABDICATED, PREEMPTED, EVICTED -> Role.COOLING_DOWN;
            case STOPPED -> Role.STOPPED;
            case EXPIRED, SUPERSEDED, STORE_ERROR -> Role.FOLLOWER;
        };
    }
}
