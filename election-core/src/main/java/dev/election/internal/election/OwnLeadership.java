package dev.election.internal.election;

import dev.election.AbdicationOutcome;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.internal.protocol.Effect;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.State;
import dev.election.internal.protocol.State.Leading;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.recovery.Recovery;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.threads.ListenerDispatcher;
import dev.election.internal.threads.ListenerQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The leadership of this node in one election for its callers: admits their work after the recoveries, and tells the listeners. Elections that are led
 * together have one lease and one {@link ElectionRunner}, and one of these each. Used on the loop only.
 */
final class OwnLeadership implements Recovery.Owner {

    private final String election;
    private final ElectionRunner runner;
    private final ElectionRunner.Callers callers;
    private final ListenerDispatcher dispatcher;
    private final EngineContext context;
    private final Recovery recovery;
    private Snapshot published = Snapshot.of(Protocol.initial());
    private boolean isOccupied;

    OwnLeadership(
            String election,
            ElectionRunner runner,
            ElectionRunner.Callers callers,
            ListenerDispatcher dispatcher,
            Recoveries recoveries,
            EngineContext context) {
        this.election = election;
        this.runner = runner;
        this.callers = callers;
        this.dispatcher = dispatcher;
        this.context = context;
        this.recovery = new Recovery(election, recoveries, callers::recoveryWork, context, this);
    }

    /** Takes the leadership after a step, {@code null} if there is none. Called before {@link #publish}. */
    void see(@Nullable HeldLease held) {
        recovery.see(held);
    }

    boolean isRecovering() {
        return recovery.isUnderWay();
    }

    /** Whether a recovery runs, possibly of an earlier leadership. */
    boolean isOccupied() {
        return isOccupied;
    }

    boolean isClosedAndIdle() {
        return callers.gate().isClosedAndIdle();
    }

    /** Publishes the state. The gate opens first and closes last, so that a caller that reads that this node leads is admitted. */
    void publish(State state, boolean isWaiting) {
        boolean admits = state instanceof Leading && !recovery.isUnderWay();
        if (admits) {
            callers.gate().open();
        }
        Snapshot next = recovery.isUnderWay() ? Snapshot.of(state).admittingNothing() : Snapshot.of(state);
        if (isWaiting) {
            next = next.asFollower();
        }
        if (!next.equals(published)) {
            callers.publish(next);
            published = next;
        }
        if (!admits) {
            callers.gate().close();
        }
    }

    void tell(List<Effect> effects) {
        List<LeadershipEvent> news = new ArrayList<>(effects.size());
        for (Effect effect : effects) {
            LeadershipEvent event = effect instanceof Effect.Announce announce ? named(announce.event()) : null;
            if (event != null) {
                recovery.pass(event, news::add);
            }
        }
        if (!news.isEmpty()) {
            dispatcher.tell(news);
        }
        recovery.startIfDue();
    }

    /** Tells this leadership, which has begun before this election was joined. */
    void join(HeldLease held) {
        recovery.pass(acquired(held), event -> tell(event));
        recovery.startIfDue();
    }

    void welcome(LeadershipListener listener, @Nullable HeldLease held) {
        ListenerQueue<LeadershipEvent> queue = dispatcher.add(listener);
        if (held != null) {
            queue.tell(List.of(recovery.news(held)));
        }
    }

    private LeadershipEvent acquired(HeldLease held) {
        return new LeadershipEvent.Acquired(election, context.clock().wall(), held.leader());
    }

    /**
     * Returns an event of the lease as one of this election, {@code null} if it says nothing about who leads: the state of the lease is told in the
     * election that has it.
     */
    private @Nullable LeadershipEvent named(LeadershipEvent event) {
        if (event.election().equals(election)) {
            return event;
        }
        if (event instanceof LeadershipEvent.Acquired acquired) {
            return new LeadershipEvent.Acquired(election, event.at(), acquired.leader());
        }
        if (event instanceof LeadershipEvent.Resigning resigning) {
            return new LeadershipEvent.Resigning(
                    election, event.at(), resigning.token(), resigning.reason(), resigning.requestedBy());
        }
        if (event instanceof LeadershipEvent.Resumed resumed) {
            return new LeadershipEvent.Resumed(election, event.at(), resumed.token());
        }
        if (event instanceof LeadershipEvent.Lost lost) {
            return new LeadershipEvent.Lost(election, event.at(), lost.token(), lost.reason(), lost.held());
        }
        if (event instanceof LeadershipEvent.LeaderChanged changed) {
            return new LeadershipEvent.LeaderChanged(election, event.at(), changed.leader());
        }
        if (event instanceof LeadershipEvent.ElectionStarted started) {
            return new LeadershipEvent.ElectionStarted(election, event.at(), started.since());
        }
        if (event instanceof LeadershipEvent.RoleChanged changed) {
            return new LeadershipEvent.RoleChanged(election, event.at(), changed.role());
        }
        return event instanceof LeadershipEvent.ElectionCompleted completed
                ? new LeadershipEvent.ElectionCompleted(election, event.at(), completed.leader(), completed.won())
                : null;
    }

    @Override
    public void tell(LeadershipEvent event) {
        LeadershipEvent named = named(event);
        if (named != null) {
            dispatcher.tell(List.of(named));
        }
    }

    @Override
    public void occupied(boolean occupied) {
        isOccupied = occupied;
        runner.occupied();
    }

    @Override
    public void recovered() {
        LeadershipEvent acquired = runner.recovered() ? recovery.takeAcquired() : null;
        if (acquired != null) {
            tell(acquired);
        }
    }

    @Override
    public void giveUp(String reason) {
        CompletionStage<AbdicationOutcome> unused = runner.giveUp(reason);
    }
}
