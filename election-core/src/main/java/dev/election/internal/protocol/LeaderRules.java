package dev.election.internal.protocol;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationRequest;
import dev.election.LossReason;
import dev.election.internal.protocol.State.Draining;
import dev.election.internal.protocol.State.Leading;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The rules of a leader, which admits new work or waits for the end of the running work. */
final class LeaderRules {

    /** The loss of a lease without a known new holder. */
    private static final RenewReply.Lost NOBODY = new RenewReply.Lost(null);

    private LeaderRules() {}

    static long wakeAt(HeldLease heldLease, @Nullable Departure departure, ProtocolTimings timings) {
        long wakeAt = heldLease.wakeAt(timings);
        return departure == null ? wakeAt : Math.min(wakeAt, departure.drainUntil());
    }

    /** Returns from when on a renewal may join a batch: after half of the time until the next one. A retry is not made earlier. */
    static OptionalLong joinAt(Knowledge knowledge, HeldLease heldLease, ProtocolTimings timings) {
        if (heldLease.renewal() != null) {
            return OptionalLong.empty();
        }
        long early = knowledge.failures() == 0 ? timings.renewEvery() / 2 : 0;
        return OptionalLong.of(heldLease.renewAt() - early);
    }

    static State step(StepContext context, Leading state, Input input) {
        return step(context, state.knowledge(), state.heldLease(), null, input);
    }

    static State step(StepContext context, Draining state, Input input) {
        return step(context, state.knowledge(), state.heldLease(), state.departure(), input);
    }

    private static State step(
            StepContext context, Knowledge knowledge, HeldLease heldLease, @Nullable Departure departure, Input input) {
        if (heldLease.isOver(context.nanos())) {
            // The deadline comes first: no later input brings leadership back.
            // A node that is to observe must not campaign in between.
            Departure leaving = departure == null && input instanceof Input.Observe observe
                    ? Departure.toObserve(context.nanos(), observe.requestedBy())
                    : departure;
            State lost = lose(context, knowledge, heldLease, leaving, expiryReason(knowledge), NOBODY);
            return Protocol.route(context, lost, input);
        }
        if (input instanceof Input.Wake) {
            return wake(context, knowledge, heldLease, departure);
        }
        if (input instanceof Input.JoinBatch) {
            OptionalLong joinAt = joinAt(knowledge, heldLease, context.timings());
            return joinAt.isPresent() && context.isDue(joinAt.getAsLong())
                    ? renew(context, knowledge, heldLease, departure)
                    : state(knowledge, heldLease, departure);
        }
        if (input instanceof Input.Renewed renewed) {
            return renewed(context, knowledge, heldLease, departure, renewed);
        }
        if (input instanceof Input.Heard heard) {
            return heard(context, knowledge, heldLease, departure, heard.event());
        }
        if (input instanceof Input.Stop) {
            long until = context.drainUntil(null);
            return drain(
                    context,
                    knowledge,
                    heldLease,
                    departure,
                    departure == null ? Departure.stop(until) : departure.turnedIntoStop(until));
        }
        if (input instanceof Input.Observe observe) {
            return drain(
                    context,
                    knowledge,
                    heldLease,
                    departure,
                    departure == null || departure.isOptional()
                            ? Departure.toObserve(context.drainUntil(null), observe.requestedBy())
                            : departure.turnedIntoObserving(observe.requestedBy()));
        }
        if (input instanceof Input.Abdicate abdicate && (departure == null || departure.isOptional())) {
            return drain(context, knowledge, heldLease, departure, departure(context, abdicate.how()));
        }
        if (input instanceof Input.Abdicate abdicate && departure != null && departure.isToReturn()) {
            return new Draining(
                    knowledge,
                    heldLease,
                    departure.coolingDownFor(abdicate.how().cooldown()));
        }
        if (input instanceof Input.HandOver handOver && departure == null) {
            long until = context.drainUntil(handOver.how().drain());
            return drain(context, knowledge, heldLease, null, Departure.handOver(until, handOver.how()));
        }
        if (input instanceof Input.Asked asked && asked.message().token().equals(heldLease.token())) {
            return asked(context, knowledge, heldLease, departure, asked.message());
        }
        if (input instanceof Input.Start && departure != null && !departure.isToReturn()) {
            return new Draining(knowledge, heldLease, departure.turnedIntoReturn());
        }
        if (input instanceof Input.Drained && departure != null) {
            return DepartureRules.depart(context, knowledge, heldLease, departure);
        }
        return state(knowledge, heldLease, departure);
    }

    /** Drains for a requester, and tells it the drain time, also if another request came first. */
    private static State asked(
            StepContext context,
            Knowledge knowledge,
            HeldLease heldLease,
            @Nullable Departure before,
            NodeMessage.AbdicationRequested asked) {
        Departure departure = before != null && !before.isOptional() ? before : departure(context, asked.how());
        long drain = Math.max(0, departure.drainUntil() - context.nanos());
        context.tell(new NodeMessage.AbdicationHeard(
                asked.request(), Duration.ofNanos(Math.min(drain, AbdicationRequest.LONGEST_DRAIN.toNanos()))));
        return drain(context, knowledge, heldLease, before, departure);
    }

    private static State wake(
            StepContext context, Knowledge knowledge, HeldLease before, @Nullable Departure departure) {
        if (departure != null && context.isDue(departure.drainUntil())) {
            if (!departure.isOptional()) {
                return DepartureRules.depart(context, knowledge, before, departure);
            }
            context.announce(context.resumed(before));
            return wake(context, knowledge, before, null);
        }
        HeldLease heldLease = before;
        if (!before.atRisk() && context.isDue(before.riskAt(context.timings()))) {
            context.announce(context.atRisk(before));
            heldLease = before.knownToBeAtRisk(true);
        }
        if (!context.isDue(heldLease.renewAt())) {
            return state(knowledge, heldLease, departure);
        }
        return renew(
                context, heldLease.renewal() == null ? knowledge : context.timedOut(knowledge), heldLease, departure);
    }

    private static State renewed(
            StepContext context,
            Knowledge before,
            HeldLease heldLease,
            @Nullable Departure departure,
            Input.Renewed input) {
        Attempt attempt = input.attempt();
        if (!attempt.candidate().equals(heldLease.candidate())) {
            return state(before, heldLease, departure);
        }
        boolean isLatest = attempt.equals(heldLease.renewal());
        if (input.reply() instanceof NoAnswer failure) {
            if (!isLatest) {
                return state(before, heldLease, departure);
            }
            Knowledge knowledge = context.failed(before, failure);
            long quickly = Math.min(
                    context.retryAt(knowledge),
                    context.nanos() + context.timings().patience() / 4);
            return state(knowledge, heldLease.renewingAt(quickly), departure);
        }
        Knowledge knowledge = context.answered(before, attempt);
        if (input.reply() instanceof RenewReply.Lost lost) {
            return lose(context, knowledge, heldLease, departure, reason(lost), lost);
        }
        if (!before.isUpToDate(attempt)) {
            // News has arrived since that this reply may not reflect, or a later renewal was answered before.
            return state(knowledge, heldLease, departure);
        }
        RenewReply.Renewed renewed = (RenewReply.Renewed) input.reply();
        HeldLease after = heldLease.renewed(context.timings().deadline(attempt.sentAt()), renewed.expiry());
        if (heldLease.atRisk() && !context.isDue(after.riskAt(context.timings()))) {
            context.announce(context.secured(heldLease));
            after = after.knownToBeAtRisk(false);
        }
        Knowledge wiser = knowledge.outdatingUpTo(attempt);
        if (isLatest && heldLease.called()) {
            return renew(context, wiser, after, departure);
        }
        boolean isAwaited = heldLease.renewal() != null && !isLatest;
        return state(
                wiser,
                isAwaited
                        ? after
                        : after.renewingAt(attempt.sentAt() + context.timings().renewEvery()),
                departure);
    }

    private static State heard(
            StepContext context,
            Knowledge knowledge,
            HeldLease heldLease,
            @Nullable Departure departure,
            StoreEvent event) {
        boolean isOwn = event instanceof StoreEvent.Acquired acquired
                && acquired.leader().token().equals(heldLease.token());
        if (isOwn || event instanceof StoreEvent.Refused) {
            return state(knowledge, heldLease, departure);
        }
        boolean oldNews = (event instanceof StoreEvent.Released released
                        && heldLease.token().isNewerThan(released.token()))
                || (event instanceof StoreEvent.Acquired other
                        && heldLease.token().isNewerThan(other.leader().token()));
        boolean isBeingAsked = heldLease.renewal() != null && !wasSentBefore(event, heldLease.renewal());
        if (isBeingAsked && event instanceof StoreEvent.RollCall) {
            // The renewal under way still counts: a candidate that waits for this leader does so for longer than
            // another
            // renewal may take.
            return state(knowledge, heldLease.calledMeanwhile(), departure);
        }
        if (oldNews || isBeingAsked) {
            // To renew again at every event would drop each reply for the next attempt, and at last the leadership.
            return state(knowledge, heldLease, departure);
        }
        // A roll call, another leader, a foreign release of our lease, or a store that is back: the store decides, now.
        boolean voidsNothing = event instanceof StoreEvent.Connected || event instanceof StoreEvent.RollCall;
        return renew(context, voidsNothing ? knowledge : knowledge.outdatingAll(), heldLease, departure);
    }

    /** Whether a renewal was sent on a connection that was replaced since. Its reply counts, but may never arrive. */
    private static boolean wasSentBefore(StoreEvent event, Attempt renewal) {
        return event instanceof StoreEvent.Connected connected
                && connected.anew()
                && renewal.sentAt() - connected.since() < 0;
    }

    private static State renew(
            StepContext context, Knowledge before, HeldLease heldLease, @Nullable Departure departure) {
        Knowledge knowledge = before.attempting();
        Attempt attempt = context.attempt(knowledge);
        context.renew(attempt, heldLease);
        return state(knowledge, heldLease.renewing(attempt, context.nanos() + context.patience(knowledge)), departure);
    }

    private static State drain(
            StepContext context,
            Knowledge knowledge,
            HeldLease heldLease,
            @Nullable Departure before,
            Departure departure) {
        if (before == null) {
            context.announce(context.resigning(heldLease, departure));
        }
        return new Draining(knowledge, heldLease, departure);
    }

    private static State lose(
            StepContext context,
            Knowledge before,
            HeldLease heldLease,
            @Nullable Departure departure,
            LossReason reason,
            RenewReply.Lost how) {
        context.announce(context.lost(heldLease, reason));
        Held holder = how.holder();
        if (holder == null) {
            // The store may hold the lease for this ended candidacy for a while, for which the next leader need not
            // wait.
            context.release(
                    null,
                    new ReleaseRequest(
                            heldLease.candidate(),
                            heldLease.grant(),
                            context.timings().lease(),
                            reason));
        }
        Knowledge knowledge = context.forgetLeader(before).withNewCandidacy();
        Duration cooldown = how.cooldown();
        if (departure != null) {
            Departure same = cooldown == null ? departure : departure.coolingDownFor(cooldown);
            return DepartureRules.settle(context, knowledge, same, AbdicationOutcome.ENDED_UNCONFIRMED);
        }
        if (cooldown != null) {
            return CoolingDownRules.begin(context, follow(context, knowledge, holder), cooldown);
        }
        if (holder != null && knowledge.isOccupied()) {
            return CoolingDownRules.begin(context, follow(context, knowledge, holder), Duration.ZERO);
        }
        return holder == null
                ? FollowerRules.begin(context, context.leaderless(knowledge, heldLease.deadline()))
                : FollowerRules.behind(context, knowledge, holder, context.nanos());
    }

    /** Learns the present holder, if there is one. */
    private static Knowledge follow(StepContext context, Knowledge knowledge, @Nullable Held holder) {
        return holder == null
                ? knowledge
                : context.learnLeader(
                        knowledge,
                        holder.leader(),
                        context.nanos() + holder.remaining().toNanos(),
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

    private static Departure departure(StepContext context, Abdication how) {
        return Departure.abdication(context.drainUntil(how.drain()), how);
    }

    private static State state(Knowledge knowledge, HeldLease heldLease, @Nullable Departure departure) {
        return departure == null ? new Leading(knowledge, heldLease) : new Draining(knowledge, heldLease, departure);
    }
}
