package dev.election.internal.protocol;

import dev.election.AbdicationOutcome;
import dev.election.Leader;
import dev.election.LossReason;
import dev.election.internal.protocol.State.Following;
import dev.election.internal.protocol.State.Leading;
import dev.election.store.CampaignReply;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.OptionalLong;

/** The rules of a candidate that does not lead. */
final class FollowerRules {

    /** Number of candidates at the front of the queue that answer a roll call. Where there is no queue, all of them do. */
    private static final int ROLL_CALL_WITNESSES = 3;

    private FollowerRules() {}

    /** Begins to campaign. A node with a recovery that has not returned cools down until then, since it would lead beside that recovery. */
    static State begin(StepContext context, Knowledge knowledge) {
        return knowledge.isOccupied()
                ? CoolingDownRules.begin(context, knowledge, Duration.ZERO)
                : campaign(context, context.leaderless(knowledge).ranked(knowledge.rank(), context.nanos()));
    }

    static long wakeAt(Following following, ProtocolTimings timings) {
        Knowledge knowledge = following.knowledge();
        return knowledge.leader() == null ? following.tryAt() : Math.min(following.tryAt(), timings.staleAt(knowledge));
    }

    /**
     * Returns from when on the next attempt may join a batch: one unit of the store's clock before it is due, or earlier behind a leader. A retry is not
     * made earlier. Who comes last does not ask as often as the others: there may be hundreds of elections in which it does.
     */
    static OptionalLong joinAt(Following following, ProtocolTimings timings) {
        if (following.campaign() != null) {
            return OptionalLong.empty();
        }
        Knowledge knowledge = following.knowledge();
        boolean isBehind = knowledge.leader() != null && knowledge.failures() == 0;
        long turn = following.tryAt() - timings.clockResolution();
        long end = knowledge.comesLast() ? following.tryAt() : knowledge.leaderExpiry();
        return OptionalLong.of(isBehind && timings.askEarly() > 0 ? Math.min(turn, end - timings.askEarly()) : turn);
    }

    /**
     * Whether it is time to join a batch. When the lease has ended by all that is known, or may have been released with that of the election which
     * asks, each waits for its turn. Who comes last has asked too long ago to know that end, and joins renewals: their time has nothing to do with it.
     */
    private static boolean joins(StepContext context, Following state, Input.JoinBatch batch) {
        OptionalLong joinAt = joinAt(state, context.timings());
        if (joinAt.isEmpty() || !context.isDue(joinAt.getAsLong())) {
            return false;
        }
        Knowledge knowledge = state.knowledge();
        boolean isTurn = context.isDue(state.tryAt() - context.timings().clockResolution());
        boolean isBehind = knowledge.leader() != null
                && (knowledge.comesLast() ? batch.renews() : !context.isDue(knowledge.leaderExpiry()));
        return (isTurn && !batch.renews()) || (isBehind && batch.isPlanned());
    }

    static State step(StepContext context, Following state, Input input) {
        if (input instanceof Input.Wake) {
            return wake(context, state);
        }
        if (input instanceof Input.JoinBatch batch) {
            return joins(context, state, batch) ? campaign(context, state.knowledge()) : state;
        }
        if (input instanceof Input.Campaigned campaigned) {
            return campaigned(context, state, campaigned);
        }
        if (input instanceof Input.Heard heard) {
            return heard(context, state, heard.event());
        }
        if (input instanceof Input.Stop) {
            return DepartureRules.withdraw(context, state.knowledge(), Departure.stop(context.nanos()));
        }
        if (input instanceof Input.Observe observe) {
            return DepartureRules.withdraw(
                    context, state.knowledge(), Departure.toObserve(context.nanos(), observe.requestedBy()));
        }
        if (input instanceof Input.Placed placed) {
            return placed(context, state, placed);
        }
        if (input instanceof Input.Abdicate) {
            context.departed(AbdicationOutcome.NOT_LEADER);
        }
        return state;
    }

    private static State wake(StepContext context, Following state) {
        Knowledge knowledge = state.knowledge();
        if (context.isStale(knowledge)) {
            knowledge = context.leaderGone(knowledge);
        }
        if (!context.isDue(state.tryAt())) {
            return with(state, knowledge);
        }
        return state.campaign() == null
                ? campaign(context, knowledge)
                : retryLater(context, context.timedOut(knowledge));
    }

    private static State campaigned(StepContext context, Following state, Input.Campaigned input) {
        Attempt attempt = input.attempt();
        CampaignReply reply = input.reply();
        boolean isLatest = attempt.equals(state.campaign());
        if (!context.isPresent(attempt, state.knowledge())) {
            if (reply instanceof CampaignReply.Granted late) {
                context.giveBack(attempt, late, LossReason.SUPERSEDED);
            }
            return with(state, seen(state.knowledge(), reply));
        }
        if (reply instanceof NoAnswer failure) {
            // An earlier attempt counted as failed when the wait for it ended.
            return isLatest ? retryLater(context, context.failed(state.knowledge(), failure)) : state;
        }
        if (!isLatest && context.isDue(context.timings().deadline(attempt.sentAt()))) {
            return with(state, seen(state.knowledge(), reply));
        }
        Knowledge knowledge = context.answered(state.knowledge(), attempt, reply);
        boolean isUpToDate = reply instanceof CampaignReply.Granted granted
                ? knowledge.news().isKnownTo(attempt, granted, context.timings().lease())
                : knowledge.isUpToDate(attempt);
        if (isUpToDate || (isLatest && !isOlderThanTheNews(reply, knowledge))) {
            return answered(context, knowledge.outdatingUpTo(attempt), state, attempt, reply);
        }
        // A lease that was held then may be free now, and the store may have forgotten one that was granted then.
        boolean isUnasked = state.campaign() == null && reply instanceof CampaignReply.Granted;
        return isLatest || isUnasked ? campaign(context, seen(knowledge, reply)) : with(state, seen(knowledge, reply));
    }

    private static State answered(
            StepContext context, Knowledge knowledge, Following state, Attempt attempt, CampaignReply reply) {
        if (reply instanceof CampaignReply.Granted granted) {
            return granted(context, knowledge, state, attempt, granted);
        }
        if (reply instanceof Held held) {
            return behind(context, knowledge, held, attempt.sentAt());
        }
        CampaignReply.Wait wait = (CampaignReply.Wait) reply;
        Knowledge leaderless = context.leaderGone(knowledge).ranked(wait.rank(), attempt.sentAt());
        long remaining = wait.remaining().toNanos();
        return leaderless.hearing() == Hearing.UNKNOWN
                // The store may wait only because this campaign did not let it begin its lock delay.
                ? waiting(
                        context,
                        leaderless.hearing(Hearing.UNCONFIRMED),
                        context.nanos() + Math.min(remaining, context.timings().patience()),
                        context.nanos())
                : waiting(context, leaderless, context.nanos() + remaining, context.nanos());
    }

    private static boolean isOlderThanTheNews(CampaignReply reply, Knowledge knowledge) {
        return reply instanceof CampaignReply.Granted
                || (reply instanceof Held held && held.leader().token().value() <= knowledge.seen());
    }

    private static State granted(
            StepContext context, Knowledge before, Following state, Attempt attempt, CampaignReply.Granted granted) {
        long deadline = context.timings().deadline(attempt.sentAt());
        if (context.isDue(deadline - context.timings().patience())) {
            // The reply took nearly a lease or longer: the lease would end before a renewal is answered. The store
            // repeats
            // the grant, with a whole lease, if it still holds it for us. A newer campaign may be under way already.
            boolean isAsked = state.campaign() != null && !attempt.equals(state.campaign());
            Knowledge knowledge = before.seeing(granted.token());
            return isAsked ? with(state, knowledge) : campaign(context, knowledge);
        }
        if (granted.token().value() < before.seen()) {
            // Somebody was granted a newer token since: this lease is one that the store had lost and found again.
            context.giveBack(attempt, granted, LossReason.SUPERSEDED);
            return campaign(context, before.withNewCandidacy());
        }
        Leader self = new Leader(context.self().node(), context.self().address(), granted.token(), granted.since());
        Knowledge knowledge = context.learnLeader(before, self, deadline, true);
        context.announce(context.acquired(self));
        HeldLease heldLease = new HeldLease(
                attempt.candidate(),
                self,
                context.nanos(),
                deadline,
                granted.expiry(),
                null,
                attempt.sentAt() + context.timings().renewEvery(),
                false,
                false);
        return new Leading(knowledge, heldLease);
    }

    private static State heard(StepContext context, Following state, StoreEvent event) {
        boolean ownGrantUnderWay = state.campaign() != null
                && event instanceof StoreEvent.Acquired acquired
                && acquired.leader().node().equals(context.self().node());
        if (ownGrantUnderWay) {
            return state;
        }
        Hearing hearing = state.knowledge().hearing().after(event);
        Knowledge learned = context.learn(state.knowledge().hearing(hearing), event);
        Knowledge knowledge = outdating(learned, event);
        if (state.campaign() != null) {
            // The campaign under way does not let a store without a record begin its lock delay, so its reply has no
            // wait.
            boolean isAwaited = state.knowledge().hearing() == Hearing.UNKNOWN && hearing != Hearing.UNKNOWN;
            return isAwaited ? campaign(context, knowledge.outdatingWaits()) : with(state, knowledge);
        }
        if (event instanceof StoreEvent.Acquired acquired) {
            return acquired.leader().equals(knowledge.leader())
                    ? waiting(context, knowledge, knowledge.leaderExpiry(), state.tryAt())
                    : new Following(knowledge, null, state.tryAt());
        }
        if (event instanceof StoreEvent.Released released) {
            return knowledge.leader() == null
                    ? freed(context, context.leaderless(knowledge), released, state.tryAt())
                    : new Following(knowledge, null, state.tryAt());
        }
        boolean isWitness = knowledge.seen() > 0 && knowledge.rank().orElse(0) < ROLL_CALL_WITNESSES;
        if (event instanceof StoreEvent.RollCall && isWitness) {
            // Our campaign has the highest token seen, by which the store finds out that it has lost a grant.
            return campaign(context, knowledge);
        }
        if (event instanceof StoreEvent.Connected || event instanceof StoreEvent.Refused) {
            return queued(context, knowledge, context.nanos(), state.tryAt());
        }
        return new Following(knowledge, null, state.tryAt());
    }

    private static Knowledge outdating(Knowledge knowledge, StoreEvent event) {
        if (event instanceof StoreEvent.RollCall call) {
            return knowledge.called(call);
        }
        boolean isNewsToAll = event instanceof StoreEvent.Released
                || (event instanceof StoreEvent.Connected connected && connected.anew());
        return isNewsToAll ? knowledge.outdatingAll() : knowledge;
    }

    private static State freed(StepContext context, Knowledge knowledge, StoreEvent.Released released, long planned) {
        if (released.successor() == null) {
            return queued(context, knowledge, context.nanos(), planned);
        }
        return released.successor().equals(context.self().node())
                ? campaign(context, knowledge)
                : queued(context, knowledge, context.nanos() + reserve(context, released), planned);
    }

    /** Returns the time of a reservation, a lease at most: after that the store is asked, which is authoritative, unlike the event. */
    private static long reserve(StepContext context, StoreEvent.Released released) {
        Duration lease = context.timings().lease();
        return (released.reserve().compareTo(lease) > 0 ? lease : released.reserve()).toNanos();
    }

    /**
     * Plans the campaign after the lease of the known leader by the new place. Without a known leader, the planned campaign stays. Who came last may have
     * asked before the latest renewals: the leader counts as gone only when its successor has had time to ask.
     */
    private static State placed(StepContext context, Following state, Input.Placed placed) {
        Knowledge before = state.knowledge();
        Knowledge knowledge = before.placed(placed.place());
        if (before.comesLast() && before.leader() != null && context.isDue(before.leaderExpiry())) {
            knowledge = knowledge.ledBy(before.leader(), context.nanos());
        }
        return state.campaign() == null && knowledge.leader() != null && knowledge.failures() == 0
                ? waiting(context, knowledge, knowledge.leaderExpiry(), context.nanos())
                : with(state, knowledge);
    }

    /** Campaigns for a lease that may be free, after the candidates before this one in the queue. */
    private static State queued(StepContext context, Knowledge knowledge, long free, long planned) {
        long turn = context.turnAt(knowledge, free);
        return context.isDue(turn) ? campaign(context, knowledge) : asking(context, knowledge, turn, planned);
    }

    /**
     * Follows the holder of the lease. The lease counts from the time at which the campaign was sent: the next one, sent that much later, takes as
     * long to arrive and so arrives just when the lease has ended. A campaign that arrives too early is only refused.
     */
    static State behind(StepContext context, Knowledge before, Held held, long askedAt) {
        long expiry = askedAt + held.remaining().toNanos();
        Knowledge knowledge =
                context.learnLeader(before, held.leader(), expiry, false).ranked(held.rank(), askedAt);
        // This is the end of the lease in the store, which need not be that of the newest known leader.
        return waiting(context, knowledge, expiry, context.nanos());
    }

    private static State waiting(StepContext context, Knowledge knowledge, long free, long planned) {
        long turn = context.turnAt(knowledge, free + context.timings().clockResolution());
        return asking(context, knowledge, turn, planned);
    }

    /**
     * Plans the next campaign for the turn of this node, but before the queue forgets the node: repeated changes of leader would move the turn
     * again and again. A campaign that was planned for later, after a failure, does not get earlier by that.
     */
    private static State asking(StepContext context, Knowledge knowledge, long turn, long planned) {
        return new Following(knowledge, null, Math.min(turn, Math.max(context.askAgainBy(knowledge), planned)));
    }

    private static State retryLater(StepContext context, Knowledge knowledge) {
        return new Following(knowledge, null, context.retryAt(knowledge));
    }

    private static State campaign(StepContext context, Knowledge before) {
        Knowledge knowledge = before.attempting();
        Attempt attempt = context.attempt(knowledge);
        context.campaign(attempt, knowledge);
        return new Following(knowledge, attempt, context.nanos() + context.patience(knowledge));
    }

    private static State with(Following state, Knowledge knowledge) {
        return new Following(knowledge, state.campaign(), state.tryAt());
    }

    /** Records the token in a late reply, which has no other effect: that token was granted. */
    static Knowledge seen(Knowledge knowledge, CampaignReply reply) {
        if (reply instanceof CampaignReply.Granted granted) {
            return knowledge.seeing(granted.token());
        }
        return reply instanceof Held held ? knowledge.seeing(held.leader().token()) : knowledge;
    }
}
