package dev.election.engine;

import dev.election.AbdicationOutcome;
import dev.election.LossReason;
import dev.election.engine.State.Releasing;
import dev.election.engine.State.Stopped;
import dev.election.lease.CampaignReply;
import dev.election.lease.NoAnswer;
import dev.election.lease.ReleaseRequest;
import org.jspecify.annotations.Nullable;

/** What a node does that has given leadership up, or takes no part. */
final class DepartureRules {

    private DepartureRules() {}

    static long wakeAt(Releasing releasing) {
        return Math.min(releasing.tryAt(), releasing.until());
    }

    static State step(Turn turn, Stopped state, Input input) {
        if (input instanceof Input.Start) {
            return FollowerRules.begin(turn, state.knowledge());
        }
        if (input instanceof Input.Stop || input instanceof Input.Abdicate) {
            turn.departed(AbdicationOutcome.NOT_LEADER);
        }
        if (input instanceof Input.Campaigned late) {
            return new Stopped(tooLate(turn, state.knowledge(), late, LossReason.STOPPED));
        }
        return state;
    }

    static State step(Turn turn, Releasing state, Input input) {
        if (input instanceof Input.Released released
                && released.attempt().candidacy() == state.knowledge().candidacy()) {
            return released(turn, state, released);
        }
        if (input instanceof Input.Wake) {
            return wake(turn, state);
        }
        if (input instanceof Input.Stop) {
            return with(state, state.departure().turnedIntoStop(turn.nanos()));
        }
        if (input instanceof Input.Start && state.departure().isFinal()) {
            return with(state, state.departure().turnedIntoReturn());
        }
        if (input instanceof Input.Heard heard) {
            return with(state, turn.learn(state.knowledge(), heard.hint()));
        }
        if (input instanceof Input.Campaigned late && !isBeingReleased(state, late)) {
            return with(
                    state,
                    tooLate(turn, state.knowledge(), late, state.departure().reason()));
        }
        return state;
    }

    /** The running work has ended, or was waited for long enough. From here on this node does not believe that it leads. */
    static State depart(Turn turn, Knowledge before, Tenure tenure, Departure departure) {
        turn.announce(turn.lost(tenure, departure.reason()));
        Knowledge knowledge = turn.forgetLeader(before);
        // An application that stops is not held up by a store that does not answer.
        long longest = departure.isFinal()
                ? turn.pace().patienceAfter(0, before.latency())
                : turn.pace().renewEvery();
        long until = Math.min(tenure.deadline() + turn.pace().driftMargin(), turn.nanos() + longest);
        return release(turn, knowledge, tenure, departure, until);
    }

    /** A follower stops. A grant that is on its way to it must not block the others. */
    static State withdraw(Turn turn, Knowledge knowledge) {
        return release(
                turn,
                knowledge,
                null,
                Departure.stop(turn.nanos()),
                turn.nanos() + turn.pace().patience());
    }

    /** The end of a departure. */
    static State settle(Turn turn, Knowledge knowledge, Departure departure, AbdicationOutcome outcome) {
        turn.departed(outcome);
        return departure.isFinal() ? stopped(turn, knowledge) : RestRules.begin(turn, knowledge, departure.cooldown());
    }

    /** Hears nothing from now on, and so would take whoever leads now for the leader for ever. */
    static State stopped(Turn turn, Knowledge knowledge) {
        return new Stopped(turn.forgetLeader(knowledge).contested(false));
    }

    /** Campaigns and releases may overtake each other: what was granted to a candidacy that has ended goes back. */
    static Knowledge tooLate(Turn turn, Knowledge knowledge, Input.Campaigned late, LossReason reason) {
        if (late.reply() instanceof CampaignReply.Granted granted) {
            turn.giveBack(late.attempt(), granted, reason);
        }
        return FollowerRules.seen(knowledge, late.reply());
    }

    /** A second release, which names no successor, could come before the first. */
    private static boolean isBeingReleased(Releasing state, Input.Campaigned late) {
        return state.tenure() != null
                && late.reply() instanceof CampaignReply.Granted granted
                && granted.token().equals(state.tenure().token());
    }

    private static State released(Turn turn, Releasing state, Input.Released input) {
        if (input.reply() instanceof NoAnswer failure) {
            if (!input.attempt().equals(state.release())) {
                return state;
            }
            Knowledge knowledge = turn.failed(state.knowledge(), failure);
            boolean isWorthMore = state.tenure() != null && !turn.isDue(state.until());
            return isWorthMore
                    ? new Releasing(
                            knowledge, state.tenure(), state.departure(), null, turn.retryAt(knowledge), state.until())
                    : settle(
                            turn, knowledge.withNewCandidacy(), state.departure(), AbdicationOutcome.ENDED_UNCONFIRMED);
        }
        // "Not held" is as good: an earlier release whose reply was lost has freed it.
        return settle(
                turn,
                turn.answered(state.knowledge(), input.attempt()).withNewCandidacy(),
                state.departure(),
                AbdicationOutcome.RELEASED);
    }

    private static State wake(Turn turn, Releasing state) {
        if (turn.isDue(state.until())) {
            return settle(
                    turn, state.knowledge().withNewCandidacy(), state.departure(), AbdicationOutcome.ENDED_UNCONFIRMED);
        }
        if (!turn.isDue(state.tryAt())) {
            return state;
        }
        Knowledge knowledge = state.release() == null ? state.knowledge() : turn.timedOut(state.knowledge());
        return release(turn, knowledge, state.tenure(), state.departure(), state.until());
    }

    private static State release(
            Turn turn, Knowledge before, @Nullable Tenure tenure, Departure departure, long until) {
        Knowledge knowledge = before.attempting();
        Attempt attempt = turn.attempt(knowledge);
        turn.release(
                attempt,
                new ReleaseRequest(
                        turn.self().candidate(attempt.candidacy()),
                        tenure == null ? null : tenure.grant(),
                        turn.pace().lease(),
                        departure.successor(),
                        departure.reserve(),
                        departure.reason()));
        return new Releasing(knowledge, tenure, departure, attempt, turn.nanos() + turn.patience(knowledge), until);
    }

    private static State with(Releasing state, Knowledge knowledge) {
        return new Releasing(
                knowledge, state.tenure(), state.departure(), state.release(), state.tryAt(), state.until());
    }

    private static State with(Releasing state, Departure departure) {
        return new Releasing(
                state.knowledge(), state.tenure(), departure, state.release(), state.tryAt(), state.until());
    }
}
