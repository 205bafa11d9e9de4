package dev.election.engine;

import dev.election.AbdicationOutcome;
import dev.election.Leader;
import dev.election.LossReason;
import dev.election.engine.State.Following;
import dev.election.engine.State.Leading;
import dev.election.lease.CampaignReply;
import dev.election.lease.Held;
import dev.election.lease.Hint;
import dev.election.lease.NoAnswer;
import java.time.Duration;

/** What a node does that would lead. */
final class FollowerRules {

    /** From this place in line on, a roll call is left to those before. */
    private static final int ROLL_CALL_WITNESSES = 3;

    private FollowerRules() {}

    static State begin(Turn turn, Knowledge knowledge) {
        return campaign(turn, turn.contest(knowledge));
    }

    static long wakeAt(Following following, Pace pace) {
        Knowledge knowledge = following.knowledge();
        return knowledge.leader() == null
                ? following.tryAt()
                : Math.min(following.tryAt(), pace.staleAt(knowledge.leaderExpiry()));
    }

    static State step(Turn turn, Following state, Input input) {
        if (input instanceof Input.Wake) {
            return wake(turn, state);
        }
        if (input instanceof Input.Campaigned campaigned) {
            return campaigned(turn, state, campaigned);
        }
        if (input instanceof Input.Heard heard) {
            return heard(turn, state, heard.hint());
        }
        if (input instanceof Input.Stop) {
            return DepartureRules.withdraw(turn, state.knowledge());
        }
        if (input instanceof Input.Abdicate) {
            turn.departed(AbdicationOutcome.NOT_LEADER);
        }
        return state;
    }

    private static State wake(Turn turn, Following state) {
        Knowledge knowledge = state.knowledge();
        if (turn.isStale(knowledge)) {
            knowledge = turn.contest(turn.forgetLeader(knowledge));
        }
        if (!turn.isDue(state.tryAt())) {
            return with(state, knowledge);
        }
        return state.campaign() == null ? campaign(turn, knowledge) : retryLater(turn, turn.timedOut(knowledge));
    }

    private static State campaigned(Turn turn, Following state, Input.Campaigned input) {
        Attempt attempt = input.attempt();
        CampaignReply reply = input.reply();
        boolean isLatest = attempt.equals(state.campaign());
        if (attempt.candidacy() != state.knowledge().candidacy()) {
            if (reply instanceof CampaignReply.Granted late) {
                turn.giveBack(attempt, late, LossReason.SUPERSEDED);
            }
            return with(state, seen(state.knowledge(), reply));
        }
        if (reply instanceof NoAnswer failure) {
            // That an earlier one has failed was found when it was waited for no longer.
            return isLatest ? retryLater(turn, turn.failed(state.knowledge(), failure)) : state;
        }
        if (!isLatest && turn.isDue(turn.pace().deadline(attempt.sentAt()))) {
            return with(state, seen(state.knowledge(), reply));
        }
        Knowledge knowledge = turn.answered(state.knowledge(), attempt);
        boolean isUpToDate = knowledge.isUpToDate(attempt);
        if (isUpToDate || (isLatest && !isOlderThanTheNews(reply, knowledge))) {
            return answered(turn, knowledge.outdatingUpTo(attempt), state, attempt, reply);
        }
        // A lease that was held then may be free now, and one granted then may be forgotten now.
        boolean isUnasked = state.campaign() == null && reply instanceof CampaignReply.Granted;
        return isLatest || isUnasked ? campaign(turn, seen(knowledge, reply)) : with(state, seen(knowledge, reply));
    }

    private static State answered(
            Turn turn, Knowledge knowledge, Following state, Attempt attempt, CampaignReply reply) {
        if (reply instanceof CampaignReply.Granted granted) {
            return granted(turn, knowledge, state, attempt, granted);
        }
        if (reply instanceof Held held) {
            return behind(turn, knowledge, held, attempt.sentAt());
        }
        CampaignReply.Wait wait = (CampaignReply.Wait) reply;
        Knowledge leaderless = turn.contest(turn.forgetLeader(knowledge)).ranked(wait.rank());
        return waiting(leaderless, turn.nanos() + wait.remaining().toNanos(), turn.pace());
    }

    private static boolean isOlderThanTheNews(CampaignReply reply, Knowledge knowledge) {
        return reply instanceof CampaignReply.Granted
                || (reply instanceof Held held && held.leader().token().value() <= knowledge.seen());
    }

    private static State granted(
            Turn turn, Knowledge before, Following state, Attempt attempt, CampaignReply.Granted granted) {
        long deadline = turn.pace().deadline(attempt.sentAt());
        if (turn.isDue(deadline - turn.pace().patience())) {
            // The reply took longer than the lease lasts, or nearly so: it would end before a renewal is answered. The
            // store repeats the grant, with a whole lease, if it still holds it for us. It may have been asked already.
            boolean isAsked = state.campaign() != null && !attempt.equals(state.campaign());
            Knowledge knowledge = before.seeing(granted.token());
            return isAsked ? with(state, knowledge) : campaign(turn, knowledge);
        }
        if (granted.token().value() < before.seen()) {
            // Somebody was granted a newer token since: this lease is one that the store had lost and found again.
            turn.giveBack(attempt, granted, LossReason.SUPERSEDED);
            return campaign(turn, before.withNewCandidacy());
        }
        Leader self = new Leader(turn.self().node(), turn.self().address(), granted.token(), granted.since());
        Knowledge knowledge = turn.learnLeader(before, self, deadline, true);
        turn.announce(turn.acquired(self));
        Tenure tenure = new Tenure(
                attempt.candidacy(),
                self,
                turn.nanos(),
                deadline,
                granted.expiry(),
                null,
                attempt.sentAt() + turn.pace().renewEvery(),
                false);
        return new Leading(knowledge, tenure);
    }

    private static State heard(Turn turn, Following state, Hint hint) {
        boolean ownGrantUnderWay = state.campaign() != null
                && hint instanceof Hint.Acquired acquired
                && acquired.leader().node().equals(turn.self().node());
        if (ownGrantUnderWay) {
            return state;
        }
        Knowledge learned = turn.learn(state.knowledge(), hint);
        boolean isNewsToAll = hint instanceof Hint.Released
                || hint instanceof Hint.RollCall
                || (hint instanceof Hint.Connected connected && connected.anew());
        Knowledge knowledge = isNewsToAll ? learned.outdatingAll() : learned;
        if (state.campaign() != null) {
            return with(state, knowledge);
        }
        if (hint instanceof Hint.Acquired acquired) {
            return acquired.leader().equals(knowledge.leader())
                    ? waiting(knowledge, knowledge.leaderExpiry(), turn.pace())
                    : new Following(knowledge, null, state.tryAt());
        }
        if (hint instanceof Hint.Released released) {
            return knowledge.leader() == null
                    ? freed(turn, turn.contest(knowledge), released)
                    : new Following(knowledge, null, state.tryAt());
        }
        boolean isWitness = knowledge.seen() > 0 && knowledge.rank() < ROLL_CALL_WITNESSES;
        if (hint instanceof Hint.RollCall && isWitness) {
            // Our campaign carries the highest token seen: by it the store learns what it has forgotten.
            return campaign(turn, knowledge);
        }
        if (hint instanceof Hint.Connected) {
            return inLine(turn, knowledge, 0);
        }
        return new Following(knowledge, null, state.tryAt());
    }

    private static State freed(Turn turn, Knowledge knowledge, Hint.Released released) {
        if (released.successor() == null) {
            return inLine(turn, knowledge, 0);
        }
        return released.successor().equals(turn.self().node())
                ? campaign(turn, knowledge)
                : inLine(turn, knowledge, reserve(turn, released));
    }

    /** No longer than a lease: then the store is asked, which knows better than whoever has sent the hint. */
    private static long reserve(Turn turn, Hint.Released released) {
        Duration lease = turn.pace().lease();
        return (released.reserve().compareTo(lease) > 0 ? lease : released.reserve()).toNanos();
    }

    /** The lease is or may be free: tries now, or just after those who stand before. */
    private static State inLine(Turn turn, Knowledge knowledge, long after) {
        long delay = after + turn.pace().rankDelay(knowledge.rank());
        return delay == 0 ? campaign(turn, knowledge) : new Following(knowledge, null, turn.nanos() + delay);
    }

    /**
     * Another candidacy leads. Its lease is counted from when the question was sent: the next one, sent that much later, takes as
     * long to arrive and so comes just when the lease has ended. One that comes too early is only refused.
     */
    static State behind(Turn turn, Knowledge before, Held held, long askedAt) {
        long expiry = askedAt + held.remaining().toNanos();
        Knowledge knowledge =
                turn.learnLeader(before, held.leader(), expiry, false).ranked(held.rank());
        // Of the lease that the store holds, which need not be the one of the newest leader known.
        return waiting(knowledge, expiry, turn.pace());
    }

    private static State waiting(Knowledge knowledge, long free, Pace pace) {
        return new Following(knowledge, null, free + Pace.STORE_TICK + pace.rankDelay(knowledge.rank()));
    }

    private static State retryLater(Turn turn, Knowledge knowledge) {
        return new Following(knowledge, null, turn.retryAt(knowledge));
    }

    private static State campaign(Turn turn, Knowledge before) {
        Knowledge knowledge = before.attempting();
        Attempt attempt = turn.attempt(knowledge);
        turn.campaign(attempt, knowledge);
        return new Following(knowledge, attempt, turn.nanos() + turn.patience(knowledge));
    }

    private static State with(Following state, Knowledge knowledge) {
        return new Following(knowledge, state.campaign(), state.tryAt());
    }

    /** A reply that comes too late is worth nothing, but that a token was granted stays true. */
    static Knowledge seen(Knowledge knowledge, CampaignReply reply) {
        if (reply instanceof CampaignReply.Granted granted) {
            return knowledge.seeing(granted.token());
        }
        return reply instanceof Held held ? knowledge.seeing(held.leader().token()) : knowledge;
    }
}
