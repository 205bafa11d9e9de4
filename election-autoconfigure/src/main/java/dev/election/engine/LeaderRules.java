package dev.election.engine;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationRequest;
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

    /** Nobody has told that another candidacy leads. */
    private static final RenewReply.Lost NOBODY = new RenewReply.Lost(null);

    private LeaderRules() {}

    static long wakeAt(Tenure tenure, @Nullable Departure departure, Pace pace) {
        long wakeAt = tenure.wakeAt(pace);
        return departure == null ? wakeAt : Math.min(wakeAt, departure.drainUntil());
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
            State lost = lose(turn, knowledge, tenure, departure, expiryReason(knowledge), NOBODY);
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
            return drain(turn, knowledge, tenure, null, departure(turn, abdicate.how(), abdicate.drain()));
        }
        if (input instanceof Input.Asked asked && asked.token().equals(tenure.token())) {
            return asked(turn, knowledge, tenure, departure, asked);
        }
        if (input instanceof Input.Start && departure != null && departure.isFinal()) {
            return new Draining(knowledge, tenure, departure.turnedIntoReturn());
        }
        if (input instanceof Input.Drained && departure != null) {
            return DepartureRules.depart(turn, knowledge, tenure, departure);
        }
        return state(knowledge, tenure, departure);
    }

    /** Whoever asks hears how long it may take; who asks while others have asked already, too. */
    private static State asked(
            Turn turn, Knowledge knowledge, Tenure tenure, @Nullable Departure before, Input.Asked asked) {
        Departure departure = before != null ? before : departure(turn, asked.how(), asked.drain());
        long drain = Math.max(0, departure.drainUntil() - turn.nanos());
        turn.tell(new Hint.AbdicationHeard(
                asked.request(), Duration.ofNanos(Math.min(drain, AbdicationRequest.LONGEST_DRAIN.toNanos()))));
        return drain(turn, knowledge, tenure, before, departure);
    }

    private static State wake(Turn turn, Knowledge knowledge, Tenure before, @Nullable Departure departure) {
        if (departure != null && turn.isDue(departure.drainUntil())) {
            return DepartureRules.depart(turn, knowledge, before, departure);
        }
        Tenure tenure = before;
        if (!before.atRisk() && turn.isDue(turn.pace().riskAt(before.deadline()))) {
            turn.announce(turn.atRisk(before));
            tenure = before.knownToBeAtRisk(true);
        }
        if (!turn.isDue(tenure.renewAt())) {
            return state(knowledge, tenure, departure);
        }
        return renew(turn, tenure.renewal() == null ? knowledge : turn.timedOut(knowledge), tenure, departure);
    }

    private static State renewed(
            Turn turn, Knowledge before, Tenure tenure, @Nullable Departure departure, Input.Renewed input) {
        Attempt attempt = input.attempt();
        if (attempt.candidacy() != tenure.candidacy()) {
            return state(before, tenure, departure);
        }
        boolean isLatest = attempt.equals(tenure.renewal());
        if (input.reply() instanceof NoAnswer failure) {
            if (!isLatest) {
                return state(before, tenure, departure);
            }
            Knowledge knowledge = turn.failed(before, failure);
            long quickly =
                    Math.min(turn.retryAt(knowledge), turn.nanos() + turn.pace().patience() / 4);
            return state(knowledge, tenure.renewingAt(quickly), departure);
        }
        Knowledge knowledge = turn.answered(before, attempt);
        if (input.reply() instanceof RenewReply.Lost lost) {
            return lose(turn, knowledge, tenure, departure, reason(lost), lost);
        }
        if (!before.isUpToDate(attempt)) {
            // The store may have forgotten that renewal since, or a later one was answered before.
            return state(knowledge, tenure, departure);
        }
        RenewReply.Renewed renewed = (RenewReply.Renewed) input.reply();
        Tenure after = tenure.renewed(turn.pace().deadline(attempt.sentAt()), renewed.expiry());
        if (tenure.atRisk() && !turn.isDue(turn.pace().riskAt(after.deadline()))) {
            turn.announce(turn.secured(tenure));
            after = after.knownToBeAtRisk(false);
        }
        boolean isAwaited = tenure.renewal() != null && !isLatest;
        return state(
                knowledge.outdatingUpTo(attempt),
                isAwaited
                        ? after
                        : after.renewingAt(attempt.sentAt() + turn.pace().renewEvery()),
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
        return renew(turn, hint instanceof Hint.Connected ? knowledge : knowledge.outdatingAll(), tenure, departure);
    }

    private static State renew(Turn turn, Knowledge before, Tenure tenure, @Nullable Departure departure) {
        Knowledge knowledge = before.attempting();
        Attempt attempt = turn.attempt(knowledge);
        turn.renew(attempt, tenure);
        return state(knowledge, tenure.renewing(attempt, turn.nanos() + turn.patience(knowledge)), departure);
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
            RenewReply.Lost how) {
        turn.announce(turn.lost(tenure, reason));
        Held holder = how.holder();
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
                            Duration.ZERO,
                            reason));
        }
        Knowledge knowledge = turn.forgetLeader(before).withNewCandidacy();
        Duration cooldown = how.cooldown();
        if (departure != null) {
            Departure same = cooldown == null ? departure : departure.coolingDownFor(cooldown);
            return DepartureRules.settle(turn, knowledge, same, AbdicationOutcome.ENDED_UNCONFIRMED);
        }
        if (cooldown != null) {
            return RestRules.begin(turn, follow(turn, knowledge, holder), cooldown.toNanos());
        }
        return holder == null
                ? FollowerRules.begin(turn, knowledge)
                : FollowerRules.behind(turn, knowledge, holder, turn.nanos());
    }

    /** The same, but for who leads now. */
    private static Knowledge follow(Turn turn, Knowledge knowledge, @Nullable Held holder) {
        return holder == null
                ? knowledge
                : turn.learnLeader(
                        knowledge,
                        holder.leader(),
                        turn.nanos() + holder.remaining().toNanos(),
                        false);
    }

    private static LossReason reason(RenewReply.Lost lost) {
        if (lost.cooldown() != null) {
            return LossReason.EVICTED;
        }
        return lost.holder() == null ? LossReason.EXPIRED : LossReason.SUPERSEDED;
    }

    private static LossReason expiryReason(Knowledge knowledge) {
        return knowledge.failures() > 0 ? LossReason.STORE_ERROR : LossReason.EXPIRED;
    }

    private static Departure departure(Turn turn, Abdication how, Duration drain) {
        return new Departure(
                LossReason.ABDICATED,
                turn.nanos() + drain.toNanos(),
                how.cooldown().toNanos(),
                how.successor(),
                how.reserve());
    }

    private static State state(Knowledge knowledge, Tenure tenure, @Nullable Departure departure) {
        return departure == null ? new Leading(knowledge, tenure) : new Draining(knowledge, tenure, departure);
    }
}
