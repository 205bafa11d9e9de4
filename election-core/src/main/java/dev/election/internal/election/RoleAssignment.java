package dev.election.internal.election;

import dev.election.AssignedRole;
import dev.election.LeadershipEvent;
import dev.election.engine.Clock;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.State;
import dev.election.internal.threads.ListenerDispatcher;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The role that this node is assigned in one election, and the callers that wait for its change. Used on the loop only, unless stated otherwise. */
final class RoleAssignment {

    private final String election;
    private final Clock clock;
    private final ListenerDispatcher dispatcher;
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private volatile AssignedRole assigned;
    private boolean takesPart;

    /** Whether this node campaigns only when there are more members. */
    private boolean awaitsMembers;

    /** Whether this node does not campaign since another election keeps it busy, and it may lead one of them only. */
    private boolean leadsAnother;

    /** The reasons for which the election waits. */
    private final Set<Hold> holds = EnumSet.noneOf(Hold.class);

    /** The requester of the order to drain this node, {@code null} if there is none. */
    private @Nullable String drainedBy;

    /** The role that was announced last. */
    private AssignedRole announced = AssignedRole.CANDIDATE;

    RoleAssignment(String election, AssignedRole assigned, Clock clock, ListenerDispatcher dispatcher) {
        this.election = election;
        this.assigned = assigned;
        this.clock = clock;
        this.dispatcher = dispatcher;
    }

    /** Returns the role that was assigned last. On any thread. */
    AssignedRole assigned() {
        return assigned;
    }

    /** Assigns a role. The future is completed when the state shows that this node has it. */
    void assign(AssignedRole role, CompletableFuture<Void> changed) {
        assigned = role;
        waiting.add(changed);
    }

    boolean takesPart() {
        return takesPart;
    }

    boolean isHeld() {
        return !holds.isEmpty();
    }

    /**
     * Takes part. Returns the input that makes this node do so in its role; {@code null} while it is {@linkplain #hold held}, or leads another election
     * and does not campaign anyway before the end of a cooldown, which it must not lose.
     */
    @Nullable
    Input begin(State state) {
        takesPart = true;
        boolean isCoolingDown = state instanceof State.CoolingDown
                || (state instanceof State.Releasing releasing
                        && releasing.departure().isToReturn());
        if (isHeld() || (isCoolingDown && leadsAnother && isCandidate())) {
            return null;
        }
        return isCandidate() && !awaitsMembers && !leadsAnother ? new Input.Start() : new Input.Observe(drainedBy);
    }

    private boolean isCandidate() {
        return assigned == AssignedRole.CANDIDATE && drainedBy == null;
    }

    /** Lets this node campaign only when there are more members, or whenever its role is that of a candidate. */
    void awaitMembers(boolean awaits) {
        awaitsMembers = awaits;
    }

    /** Lets this node campaign only while no other of these elections keeps it busy. Returns whether that is a change. */
    boolean leadAnother(boolean leads) {
        boolean isChange = leads != leadsAnother;
        leadsAnother = leads;
        return isChange;
    }

    /** Whether the state is that of a candidate that observes until there are more members. */
    boolean isWaiting(State state) {
        return state instanceof State.Observing && awaitsMembers && isCandidate();
    }

    /** Lets the election wait until {@link #release} ends that. */
    void hold(Hold reason) {
        holds.add(reason);
    }

    /** Ends a wait. Returns whether that is a change. */
    boolean release(Hold reason) {
        return holds.remove(reason) && holds.isEmpty();
    }

    /** Sets the requester of the order to drain this node, {@code null} if there is none, and ends the wait for it. Returns whether that is a change. */
    boolean steer(@Nullable String by) {
        boolean isChange = (by == null) != (drainedBy == null);
        drainedBy = by;
        return release(Hold.DRAIN) || (isChange && holds.isEmpty());
    }

    void end() {
        takesPart = false;
    }

    /** Completes a change of role, unless the state is a departure: then a later state completes it. */
    void see(State state, Consumer<LeadershipEvent> listener) {
        if (state instanceof State.Draining || state instanceof State.Releasing) {
            return;
        }
        if (!(state instanceof State.Stopped)) {
            boolean isSetAside = isCandidate() && (awaitsMembers || leadsAnother);
            boolean isObserver = state instanceof State.Observing && !isSetAside;
            announce(isObserver ? AssignedRole.OBSERVER : AssignedRole.CANDIDATE, listener);
        }
        if (!waiting.isEmpty()) {
            List<CompletableFuture<Void>> through = List.copyOf(waiting);
            waiting.clear();
            dispatcher.elsewhere(() -> through.forEach(changed -> changed.complete(null)));
        }
    }

    private void announce(AssignedRole role, Consumer<LeadershipEvent> listener) {
        if (role != announced) {
            announced = role;
            listener.accept(new LeadershipEvent.RoleChanged(election, clock.wall(), role));
        }
    }
}
