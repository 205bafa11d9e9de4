package dev.election.internal.engine;

import dev.election.AssignedRole;
import dev.election.LeadershipEvent;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.State;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The role that this node is assigned in one election, and who waits until it has it. On the loop only, unless stated otherwise. */
final class RoleAssignment {

    private final String election;
    private final Clock clock;
    private final ListenerDispatcher dispatcher;
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private volatile AssignedRole assigned;
    private boolean takesPart;

    /** Whether the election waits until it is known whether this node is drained. */
    private boolean isHeld;

    /** Who has ordered that this node leads nothing, {@code null} if nobody has. */
    private @Nullable String drainedBy;

    /** The role that listeners know of. */
    private AssignedRole announced = AssignedRole.CANDIDATE;

    RoleAssignment(String election, AssignedRole assigned, Clock clock, ListenerDispatcher dispatcher) {
        this.election = election;
        this.assigned = assigned;
        this.clock = clock;
        this.dispatcher = dispatcher;
    }

    /** The role that was assigned last. On any thread. */
    AssignedRole assigned() {
        return assigned;
    }

    /** Completes the future when a state shows that the change is through. */
    void assign(AssignedRole role, CompletableFuture<Void> changed) {
        assigned = role;
        waiting.add(changed);
    }

    boolean takesPart() {
        return takesPart;
    }

    /** Returns the input that makes a node take part in that role; {@code null} while it is held. */
    @Nullable
    Input begin() {
        takesPart = true;
        if (isHeld) {
            return null;
        }
        boolean isCandidate = assigned == AssignedRole.CANDIDATE && drainedBy == null;
        return isCandidate ? new Input.Start() : new Input.Observe(drainedBy);
    }

    /** Waits until {@link #steer} says whether this node is drained. */
    void hold() {
        isHeld = true;
    }

    /** This node is drained, or {@code null} if it is not. Returns whether that is news. */
    boolean steer(@Nullable String by) {
        boolean isNews = isHeld || (by == null) != (drainedBy == null);
        isHeld = false;
        drainedBy = by;
        return isNews;
    }

    void end() {
        takesPart = false;
    }

    /** A change is through unless a departure is under way, which ends by itself. */
    void see(State state) {
        if (state instanceof State.Draining || state instanceof State.Releasing) {
            return;
        }
        if (!(state instanceof State.Stopped)) {
            announce(state instanceof State.Observing ? AssignedRole.OBSERVER : AssignedRole.CANDIDATE);
        }
        if (!waiting.isEmpty()) {
            List<CompletableFuture<Void>> through = List.copyOf(waiting);
            waiting.clear();
            dispatcher.elsewhere(() -> through.forEach(changed -> changed.complete(null)));
        }
    }

    private void announce(AssignedRole role) {
        if (role != announced) {
            announced = role;
            dispatcher.tell(List.of(new LeadershipEvent.RoleChanged(election, clock.wall(), role)));
        }
    }
}
