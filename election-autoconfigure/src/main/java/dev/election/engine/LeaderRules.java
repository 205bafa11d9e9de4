package dev.election.engine;

import dev.election.AbdicationOutcome;
import dev.election.LossReason;
import dev.election.engine.State.Draining;
import dev.election.engine.State.Leading;
import dev.election.lease.Held;
import dev.election.lease.Hint;
import dev.election.lease.NoAnswer;
import dev.election.lease.ReleaseRequest;
import dev.election.lease.RenewReply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a node does that leads, whether it admits new work or waits for the last of it. */
final class LeaderRules {

    private LeaderRules() {}

    static long wakeAt(Tenure tenure, @Nullable Departure departure) {
        return departure == null ? tenure.wakeAt() : Math.min(tenure.wakeAt(), departure.drainUntil());
    }

    static State step(Turn turn, Leading state, Input input) {
        return step(turn, state.knowledge(), state.tenure(), null, input);
    }

    static State step(Turn turn, Draining state, Input input) {
        return step(turn, state.knowledge(), state.tenure(), state.departure(), input);
    }

    private static State step(
            Turn turn, Knowledge knowledge, Tenure tenure, @Nullable Departure departure, Input input) {
        if (tenure.isOver(turn.nanos())) {
            // Before anything else: what arrives after the deadline can't bring leadership back.
            State lost = lose(turn, knowledge, tenure, departure, expiryReason(knowledge), null);
            return Protocol.route(turn, lost, input);
        }
        if (input instanceof Input.Wake) {
            return wake(turn, knowledge, tenure, departure);
        }
        if (input instanceof Input.Renewed renewed) {
            return renewed(turn, knowledge, tenure, departure, renewed);
        }
        if (input instanceof Input.Heard heard) {
            return heard(turn, knowledge, tenure, departure, heard.hint());
        }
        if (input instanceof Input.Stop stop) {
            long until = turn.nanos() + stop.drain().toNanos();
            return drain(
                    turn,
                    knowledge,
                    tenure,
                    departure,
                    departure == null ? Departure.stop(until) : departure.turnedIntoStop(until));
        }
        if (input instanceof Input.Abdicate abdicate && departure == null) {
            return drain(turn, knowledge, tenure, null, departure(turn, abdicate));
        }
        if (input instanceof Input.Start && departure != null && departure.isFinal()) {
            return new Draining(knowledge, tenure, departure.turnedIntoReturn());
        }
        if (input instanceof Input.Drained && departure != null) {
            return DepartureRules.depart(turn, knowledge, tenure, departure);
        }
        return state(knowledge, tenure, departure);
    }

    private static State wake(Turn turn, Knowledge knowledge, Tenure tenure, @Nullable Departure departure) {
        if (departure != null && turn.isDue(departure.drainUntil())) {
            return DepartureRules.depart(turn, knowledge, tenure, departure);
        }
        if (!turn.isDue(tenure.renewAt())) {
            return state(knowledge, tenure, departure);
        }
        return renew(turn, tenure.renewal() == null ? knowledge : turn.timedOut(knowledge), tenure, departure);
    }

    private static State renewed(
            Turn turn, Knowledge before, Tenure tenure, @Nullable Departure departure, Input.Renewed input) {
        if (!input.attempt().equals(tenure.renewal())) {
            return state(before, tenure, departure);
        }
        if (input.reply() instanceof NoAnswer failure) {
            Knowledge knowledge = turn.failed(before, failure);
            long quickly =
                    Math.min(turn.retryAt(knowledge), turn.nanos() + turn.pace().patience() / 4);
            return state(knowledge, tenure.retryingAt(quickly), departure);
        }
        Knowledge knowledge = turn.answered(before);
        if (input.reply() instanceof RenewReply.Lost lost) {
            LossReason reason = lost.holder() == null ? LossReason.EXPIRED : LossReason.SUPERSEDED;
            return lose(turn, knowledge, tenure, departure, reason, lost.holder());
        }
        RenewReply.Renewed renewed = (RenewReply.Renewed) input.reply();
        long sentAt = input.attempt().sentAt();
        return state(
                knowledge,
                tenure.renewed(
                        turn.pace().deadline(sentAt),
                        renewed.expiry(),
                        sentAt + turn.pace().renewEvery()),
                departure);
    }

    private static State heard(
            Turn turn, Knowledge knowledge, Tenure tenure, @Nullable Departure departure, Hint hint) {
        if (hint instanceof Hint.Acquired acquired && acquired.leader().token().equals(tenure.token())) {
            return state(knowledge, tenure, departure);
        }
        boolean oldNews =
                (hint instanceof Hint.Released released && tenure.token().isNewerThan(released.token()))
                        || (hint instanceof Hint.Acquired other
                                && tenure.token().isNewerThan(other.leader().token()));
        boolean isBeingAsked = tenure.renewal() != null && !(hint instanceof Hint.RollCall);
        if (oldNews || isBeingAsked) {
            // To ask again at every hint would drop each reply for the next question, and at last the leadership.
            return state(knowledge, tenure, departure);
        }
        // A roll call, a rival, our lease released by another hand, or a store that came back: the store decides, now.
        return renew(turn, knowledge, tenure, departure);
    }

    private static State renew(Turn turn, Knowledge before, Tenure tenure, @Nullable Departure departure) {
        Knowledge knowledge = before.attempting();
        Attempt attempt = turn.attempt(knowledge);
        turn.renew(attempt, tenure);
        return state(
                knowledge, tenure.renewing(attempt, turn.nanos() + turn.pace().patience()), departure);
    }

    private static State drain(
            Turn turn, Knowledge knowledge, Tenure tenure, @Nullable Departure before, Departure departure) {
        if (before == null) {
            turn.announce(turn.resigning(tenure, departure));
        }
        return new Draining(knowledge, tenure, departure);
    }

    private static State lose(
            Turn turn,
            Knowledge before,
            Tenure tenure,
            @Nullable Departure departure,
            LossReason reason,
            @Nullable Held holder) {
        turn.announce(turn.lost(tenure, reason));
        if (holder == null) {
            // The store may hold the lease for this dead candidacy for a while; whoever comes next need not wait for
            // that.
            turn.release(
                    null,
                    new ReleaseRequest(
                            turn.self().candidate(tenure.candidacy()),
                            tenure.grant(),
                            turn.pace().lease(),
                            null,
                            Duration.ZERO));
        }
        Knowledge knowledge = turn.forgetLeader(before).withNewCandidacy();
        if (departure != null) {
            return DepartureRules.settle(turn, knowledge, departure, AbdicationOutcome.ENDED_UNCONFIRMED);
        }
        return holder == null
                ? FollowerRules.begin(turn, knowledge)
                : FollowerRules.behind(turn, knowledge, holder, turn.nanos());
    }

    private static LossReason expiryReason(Knowledge knowledge) {
        return knowledge.failures() > 0 ? LossReason.STORE_ERROR : LossReason.EXPIRED;
    }

    private static Departure departure(Turn turn, Input.Abdicate abdicate) {
        return new Departure(
                LossReason.ABDICATED,
                turn.nanos() + abdicate.drain().toNanos(),
                abdicate.how().cooldown().toNanos(),
                abdicate.how().successor(),
                abdicate.how().reserve());
    }

    private static State state(Knowledge knowledge, Tenure tenure, @Nullable Departure departure) {
        return departure == null ? new Leading(knowledge, tenure) : new Draining(knowledge, tenure, departure);
    }
}
