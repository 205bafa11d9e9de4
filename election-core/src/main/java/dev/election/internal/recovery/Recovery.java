package dev.election.internal.recovery;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.requests.EngineContext;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Holds back the work of a new leader and the event {@code Acquired} until its recoveries have run. Used on the loop only. */
public final class Recovery {

    private final String election;
    private final Recoveries recoveries;
    private final Function<FencingToken, LeaderWork> admission;
    private final EngineContext context;
    private final Owner owner;

    /** The leadership after the latest step, {@code null} if this node did not lead then. */
    private @Nullable HeldLease seen;

    /** The recoveries that run or are due, {@code null} if nothing is held back. */
    private @Nullable RecoveryRun run;

    private boolean isStarted;
    /** The name of the recovery that runs or is next. */
    private String present = "";

    /** The event that is held back until the recoveries have run and the election is not resigning. */
    private LeadershipEvent.@Nullable Acquired acquired;

    /** Services that a recovery needs from its election. */
    public interface Owner {

        void tell(LeadershipEvent event);

        /** The recoveries of a leadership begin, or none of them runs any more. Another leadership may begin only after that. */
        void occupied(boolean isOccupied);

        /** The recoveries have succeeded: admits work, and announces that unless this node is resigning. */
        void recovered();

        void giveUp(String reason);
    }

    /**
     * @param admission begins leader work under a token while nothing else is admitted
     */
    public Recovery(
            String election,
            Recoveries recoveries,
            Function<FencingToken, LeaderWork> admission,
            EngineContext context,
            Owner owner) {
        this.election = election;
        this.recoveries = recoveries;
        this.admission = admission;
        this.context = context;
        this.owner = owner;
    }

    public boolean isUnderWay() {
        return run != null;
    }

    /** Takes the leadership of this node after a step, {@code null} if there is none. Called before the state is published. */
    public void see(@Nullable HeldLease held) {
        boolean isSame = held != null && seen != null && held.token().equals(seen.token());
        seen = held;
        if (isSame) {
            return;
        }
        end();
        List<Recoveries.Named> due = held == null ? List.of() : recoveries.of(election);
        if (held != null && !due.isEmpty()) {
            run = new RecoveryRun(
                    due, recoveries.takeOver().recoverAtMost(), admission.apply(held.token()), context, this);
            present = due.get(0).name();
        }
    }

    private void end() {
        acquired = null;
        if (run != null) {
            run.stop();
            startIfDue();
            run = null;
            isStarted = false;
        }
    }

    /** Passes an event on, or keeps it until the recoveries have run. */
    public void pass(LeadershipEvent event, Consumer<LeadershipEvent> news) {
        if (run != null && event instanceof LeadershipEvent.Acquired held) {
            acquired = held;
            return;
        }
        if (event instanceof LeadershipEvent.Resumed && (run != null || acquired != null)) {
            // No listener knows yet that this node leads.
            LeadershipEvent due = run == null ? takeAcquired() : null;
            if (due != null) {
                news.accept(due);
            }
            return;
        }
        news.accept(event);
    }

    /** Starts the recoveries of a new leadership. Called after the events of a step were announced. */
    public void startIfDue() {
        if (run != null && !isStarted) {
            isStarted = true;
            run.start();
        }
    }

    /** Returns the event that describes the present leadership, also for listeners that are added now. */
    public LeadershipEvent news(HeldLease held) {
        return run == null
                ? new LeadershipEvent.Acquired(election, context.clock().wall(), held.leader())
                : new LeadershipEvent.Recovering(election, context.clock().wall(), held.leader(), present);
    }

    /** Removes and returns the event that is held back, {@code null} if there is none. */
    public LeadershipEvent.@Nullable Acquired takeAcquired() {
        LeadershipEvent.Acquired held = acquired;
        acquired = null;
        return held;
    }

    /** The recoveries begin, or none of them runs any more. This alone is called after {@link RecoveryRun#stop}, too. */
    void occupies(boolean isOccupied) {
        owner.occupied(isOccupied);
    }

    void begins(String recovery) {
        present = recovery;
        if (seen != null) {
            owner.tell(news(seen));
        }
    }

    void failed(String recovery, String reason) {
        if (seen != null) {
            owner.tell(new LeadershipEvent.RecoveryFailed(
                    election, context.clock().wall(), seen.token(), recovery, reason));
            owner.giveUp("recovery " + recovery + " failed: " + reason);
        }
    }

    void recovered() {
        run = null;
        isStarted = false;
        owner.recovered();
    }
}
