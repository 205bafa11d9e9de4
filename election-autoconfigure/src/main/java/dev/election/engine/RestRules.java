package dev.election.engine;

import dev.election.AbdicationOutcome;
import dev.election.Leader;
import dev.election.LossReason;
import dev.election.StoreView;
import dev.election.engine.State.Resting;
import dev.election.lease.Hint;
import dev.election.lease.ReadReply;
import org.jspecify.annotations.Nullable;

/**
 * What a node does that has abdicated, or was evicted, and will come back. It may be long until then, and it does not campaign, by which a follower
 * learns that its leader goes on: so it looks, once a lease.
 */
final class RestRules {

    private RestRules() {}

    static State begin(Turn turn, Knowledge knowledge, long cooldown) {
        return new Resting(knowledge.outdatingAll(), turn.nanos() + cooldown, null);
    }

    static long wakeAt(Resting resting, Pace pace) {
        Attempt look = resting.look();
        if (look != null) {
            return Math.min(resting.until(), look.sentAt() + pace.patience());
        }
        Knowledge knowledge = resting.knowledge();
        return knowledge.leader() == null ? resting.until() : Math.min(resting.until(), lookAt(knowledge));
    }

    static State step(Turn turn, Resting state, Input input) {
        if (input instanceof Input.Wake) {
            return wake(turn, state);
        }
        if (input instanceof Input.Looked looked && state.knowledge().isUpToDate(looked.attempt())) {
            return looked(turn, state, looked);
        }
        if (input instanceof Input.Heard heard) {
            return heard(turn, state, heard.hint());
        }
        if (input instanceof Input.Campaigned late) {
            return with(
                    state, DepartureRules.tooLate(turn, state.knowledge(), late, LossReason.ABDICATED), state.look());
        }
        if (input instanceof Input.Stop) {
            turn.departed(AbdicationOutcome.NOT_LEADER);
            return DepartureRules.stopped(turn, state.knowledge());
        }
        if (input instanceof Input.Abdicate) {
            turn.departed(AbdicationOutcome.NOT_LEADER);
        }
        return state;
    }

    private static State wake(Turn turn, Resting state) {
        if (turn.isDue(state.until())) {
            return FollowerRules.begin(turn, state.knowledge());
        }
        if (!turn.isDue(wakeAt(state, turn.pace()))) {
            return state;
        }
        return state.look() != null && turn.isStale(state.knowledge())
                ? with(state, turn.forgetLeader(state.knowledge()), null)
                : look(turn, state);
    }

    private static State heard(Turn turn, Resting state, Hint hint) {
        if (hint instanceof Hint.Connected) {
            return look(turn, state);
        }
        Knowledge knowledge = turn.learn(state.knowledge(), hint);
        // A look from before the news may not know of it.
        return knowledge.equals(state.knowledge()) ? state : with(state, knowledge.outdatingAll(), null);
    }

    private static State looked(Turn turn, Resting state, Input.Looked input) {
        boolean isTooLate = turn.isDue(turn.pace().deadline(input.attempt().sentAt()));
        if (isTooLate || !(input.reply() instanceof ReadReply.Read read)) {
            return state;
        }
        StoreView view = read.view();
        long expiry = input.attempt().sentAt() + view.leaseRemaining().toNanos();
        Knowledge knowledge = view.leader()
                .filter(leader -> !isSelf(turn, leader))
                .map(leader -> turn.learnLeader(state.knowledge(), leader, expiry, false))
                .orElseGet(() -> turn.forgetLeader(state.knowledge()));
        // One that tells of an older leader is no answer, lest the store be asked without a pause.
        boolean isAnswer = knowledge.leader() == null || !turn.isDue(lookAt(knowledge));
        return isAnswer
                ? with(state, knowledge.outdatingUpTo(input.attempt()), null)
                : with(state, knowledge, state.look());
    }

    private static State look(Turn turn, Resting state) {
        Knowledge knowledge = state.knowledge().attempting();
        Attempt attempt = turn.attempt(knowledge);
        turn.look(attempt);
        return with(state, knowledge, attempt);
    }

    /** Its release did not get through: that lease is worth nothing any more. */
    private static boolean isSelf(Turn turn, Leader leader) {
        return leader.node().equals(turn.self().node())
                && leader.address().equals(turn.self().address());
    }

    private static long lookAt(Knowledge knowledge) {
        return knowledge.leaderExpiry() + Pace.STORE_TICK;
    }

    private static State with(Resting state, Knowledge knowledge, @Nullable Attempt look) {
        return new Resting(knowledge, state.until(), look);
    }
}
