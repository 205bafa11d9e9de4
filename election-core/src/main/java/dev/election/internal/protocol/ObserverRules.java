package dev.election.internal.protocol;

import dev.election.AbdicationOutcome;
import dev.election.LossReason;
import dev.election.StoreView;
import dev.election.internal.protocol.State.Observing;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import dev.election.store.StoreEvent;
import java.util.OptionalInt;

/**
 * The rules of an observer, which only reads who leads. Events announce changes at once. The observer reads once a lease, so that no lost event
 * matters for longer.
 */
final class ObserverRules {

    private ObserverRules() {}

    /** Begins to observe: without a place in the queue, and with outdated replies to earlier attempts. */
    static State begin(StepContext context, Knowledge before) {
        Knowledge knowledge = before.outdatingAll().ranked(OptionalInt.of(0), context.nanos());
        return look(context, knowledge.leader() == null ? context.leaderless(knowledge) : knowledge);
    }

    /** Returns the next alarm. A leader that renews in time never gets stale within a lease after a read. */
    static long wakeAt(Observing observing, ProtocolTimings timings) {
        Knowledge knowledge = observing.knowledge();
        return knowledge.leader() == null || observing.look() != null
                ? observing.lookAt()
                : Math.min(observing.lookAt(), timings.staleAt(knowledge));
    }

    static State step(StepContext context, Observing state, Input input) {
        if (input instanceof Input.Wake) {
            return wake(context, state);
        }
        if (input instanceof Input.Looked looked) {
            return looked(context, state, looked);
        }
        if (input instanceof Input.Heard heard) {
            return heard(context, state, heard.event());
        }
        if (input instanceof Input.Campaigned late) {
            return with(state, DepartureRules.tooLate(context, state.knowledge(), late, LossReason.ABDICATED));
        }
        if (input instanceof Input.Start) {
            return FollowerRules.begin(context, state.knowledge());
        }
        if (input instanceof Input.Stop) {
            context.departed(AbdicationOutcome.NOT_LEADER);
            return DepartureRules.stopped(context, state.knowledge());
        }
        if (input instanceof Input.Abdicate) {
            context.departed(AbdicationOutcome.NOT_LEADER);
        }
        return state;
    }

    private static State wake(StepContext context, Observing state) {
        if (!context.isDue(wakeAt(state, context.timings()))) {
            return state;
        }
        return state.look() == null
                ? look(context, state.knowledge())
                : retryLater(context, context.timedOut(state.knowledge()));
    }

    private static State looked(StepContext context, Observing state, Input.Looked input) {
        Attempt attempt = input.attempt();
        boolean isLatest = attempt.equals(state.look());
        if (input.reply() instanceof NoAnswer failure) {
            return isLatest ? retryLater(context, context.failed(state.knowledge(), failure)) : state;
        }
        if (context.isDue(context.timings().deadline(attempt.sentAt()))) {
            return state;
        }
        Knowledge knowledge = context.answered(state.knowledge(), attempt);
        if (knowledge.isUpToDate(attempt)) {
            StoreView view = ((ReadReply.Read) input.reply()).view();
            knowledge = learned(context, knowledge.outdatingUpTo(attempt), view, attempt.sentAt());
        }
        long next = attempt.sentAt() + context.timings().lease().toNanos();
        if (isLatest) {
            return new Observing(knowledge, null, next);
        }
        return state.look() == null
                ? new Observing(knowledge, null, Math.max(state.lookAt(), next))
                : with(state, knowledge);
    }

    private static Knowledge learned(StepContext context, Knowledge before, StoreView view, long askedAt) {
        long expiry = askedAt + view.leaseRemaining().toNanos();
        // A lease of this node is being released.
        Knowledge knowledge = view.leader()
                .filter(leader -> !context.isSelf(leader))
                .map(leader -> context.learnLeader(before, leader, expiry, false))
                .orElseGet(() -> context.leaderGone(before));
        return forgettingStale(context, knowledge);
    }

    private static State heard(StepContext context, Observing state, StoreEvent event) {
        if (event instanceof StoreEvent.Connected) {
            return look(context, state.knowledge());
        }
        boolean isOwn = event instanceof StoreEvent.Acquired acquired && context.isSelf(acquired.leader());
        Knowledge learned = isOwn ? state.knowledge() : context.learn(state.knowledge(), event);
        if (learned.equals(state.knowledge())) {
            return state;
        }
        // The reply to a read from before the news may not reflect it.
        return with(
                state, learned.leader() == null ? context.leaderless(learned).outdatingAll() : learned.outdatingAll());
    }

    private static State look(StepContext context, Knowledge before) {
        Knowledge knowledge = before.attempting();
        Attempt attempt = context.attempt(knowledge);
        context.look(attempt);
        return new Observing(knowledge, attempt, context.nanos() + context.patience(knowledge));
    }

    private static State retryLater(StepContext context, Knowledge knowledge) {
        return new Observing(forgettingStale(context, knowledge), null, context.retryAt(knowledge));
    }

    private static Knowledge forgettingStale(StepContext context, Knowledge knowledge) {
        return context.isStale(knowledge) ? context.leaderGone(knowledge) : knowledge;
    }

    private static State with(Observing state, Knowledge knowledge) {
        return new Observing(knowledge, state.look(), state.lookAt());
    }
}
