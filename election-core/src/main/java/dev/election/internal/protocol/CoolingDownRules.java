package dev.election.internal.protocol;

import dev.election.AbdicationOutcome;
import dev.election.LossReason;
import dev.election.StoreView;
import dev.election.internal.protocol.State.CoolingDown;
import dev.election.store.ReadReply;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a node that has abdicated, was evicted or has a recovery that has not returned, and that will come back. A follower learns by its
 * campaigns that its leader goes on. This node does not campaign, so it reads who leads once a lease.
 */
final class CoolingDownRules {

    private CoolingDownRules() {}

    static State begin(StepContext context, Knowledge knowledge, Duration cooldown) {
        return new CoolingDown(knowledge.outdatingAll(), context.nanos() + cooldown.toNanos(), null);
    }

    /** Empty while the node waits for its recovery and knows no leader: an event announces the next one. */
    static OptionalLong wakeAt(CoolingDown coolingDown, ProtocolTimings timings) {
        OptionalLong lookAt = lookAt(coolingDown, timings);
        if (coolingDown.knowledge().isOccupied()) {
            return lookAt;
        }
        return OptionalLong.of(
                lookAt.isPresent() ? Math.min(coolingDown.until(), lookAt.getAsLong()) : coolingDown.until());
    }

    static State step(StepContext context, CoolingDown state, Input input) {
        if (input instanceof Input.Wake) {
            return wake(context, state);
        }
        if (input instanceof Input.Looked looked && state.knowledge().isUpToDate(looked.attempt())) {
            return looked(context, state, looked);
        }
        if (input instanceof Input.Heard heard) {
            return heard(context, state, heard.event());
        }
        if (input instanceof Input.Campaigned late) {
            return with(
                    state,
                    DepartureRules.tooLate(context, state.knowledge(), late, LossReason.ABDICATED),
                    state.look());
        }
        if (input instanceof Input.Observe) {
            return ObserverRules.begin(context, state.knowledge());
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

    private static State wake(StepContext context, CoolingDown state) {
        if (context.isDue(state.until()) && !state.knowledge().isOccupied()) {
            return FollowerRules.begin(context, state.knowledge());
        }
        OptionalLong lookAt = lookAt(state, context.timings());
        if (lookAt.isEmpty() || !context.isDue(lookAt.getAsLong())) {
            return state;
        }
        return state.look() != null && context.isStale(state.knowledge())
                ? with(state, context.forgetLeader(state.knowledge()), null)
                : look(context, state);
    }

    private static State heard(StepContext context, CoolingDown state, StoreEvent event) {
        if (event instanceof StoreEvent.Connected) {
            return look(context, state);
        }
        Knowledge knowledge = context.learn(state.knowledge(), event);
        // The reply to an earlier read may not reflect the news.
        return knowledge.equals(state.knowledge()) ? state : with(state, knowledge.outdatingAll(), null);
    }

    private static State looked(StepContext context, CoolingDown state, Input.Looked input) {
        boolean isTooLate =
                context.isDue(context.timings().deadline(input.attempt().sentAt()));
        if (isTooLate || !(input.reply() instanceof ReadReply.Read read)) {
            return state;
        }
        StoreView view = read.view();
        long expiry = input.attempt().sentAt() + view.leaseRemaining().toNanos();
        // The store may still hold the lease of this node if its release was lost; that lease is not used any more.
        Knowledge knowledge = view.leader()
                .filter(leader -> !context.isSelf(leader))
                .map(leader -> context.learnLeader(state.knowledge(), leader, expiry, false))
                .orElseGet(() -> context.forgetLeader(state.knowledge()));
        // A reply that names an older leader is no answer, or the store would be asked without a pause.
        boolean isAnswer = knowledge.leader() == null || !context.isDue(lookAt(knowledge, context.timings()));
        return isAnswer
                ? with(state, knowledge.outdatingUpTo(input.attempt()), null)
                : with(state, knowledge, state.look());
    }

    private static State look(StepContext context, CoolingDown state) {
        Knowledge knowledge = state.knowledge().attempting();
        Attempt attempt = context.attempt(knowledge);
        context.look(attempt);
        return with(state, knowledge, attempt);
    }

    /** Returns when to read who leads, or when the wait for the reply ends. */
    private static OptionalLong lookAt(CoolingDown state, ProtocolTimings timings) {
        if (state.look() != null) {
            return OptionalLong.of(state.look().sentAt() + timings.patience());
        }
        return state.knowledge().leader() == null
                ? OptionalLong.empty()
                : OptionalLong.of(lookAt(state.knowledge(), timings));
    }

    private static long lookAt(Knowledge knowledge, ProtocolTimings timings) {
        return knowledge.leaderExpiry() + timings.clockResolution();
    }

    private static State with(CoolingDown state, Knowledge knowledge, @Nullable Attempt look) {
        return new CoolingDown(knowledge, state.until(), look);
    }
}
