package dev.election.internal.protocol;

import dev.election.AbdicationOutcome;
import dev.election.LossReason;
import dev.election.internal.protocol.State.Releasing;
import dev.election.internal.protocol.State.Stopped;
import dev.election.store.CampaignReply;
import dev.election.store.NoAnswer;
import dev.election.store.ReleaseRequest;
import org.jspecify.annotations.Nullable;

/** The rules of a node that releases leadership or does not take part. */
final class DepartureRules {

    private DepartureRules() {}

    static long wakeAt(Releasing releasing) {
        return Math.min(releasing.tryAt(), releasing.until());
    }

    static State step(StepContext context, Stopped state, Input input) {
        if (input instanceof Input.Start) {
            return FollowerRules.begin(context, state.knowledge());
        }
        if (input instanceof Input.Observe) {
            return ObserverRules.begin(context, state.knowledge());
        }
        if (input instanceof Input.Stop || input instanceof Input.Abdicate) {
            context.departed(AbdicationOutcome.NOT_LEADER);
        }
        if (input instanceof Input.Campaigned late) {
            return new Stopped(tooLate(context, state.knowledge(), late, LossReason.STOPPED));
        }
        return state;
    }

    static State step(StepContext context, Releasing state, Input input) {
        if (input instanceof Input.Released released && context.isPresent(released.attempt(), state.knowledge())) {
            return released(context, state, released);
        }
        if (input instanceof Input.Wake) {
            return wake(context, state);
        }
        if (input instanceof Input.Stop) {
            return with(state, state.departure().turnedIntoStop(context.nanos()));
        }
        if (input instanceof Input.Start && !state.departure().isToReturn()) {
            return with(state, state.departure().turnedIntoReturn());
        }
        if (input instanceof Input.Observe observe) {
            return with(state, state.departure().turnedIntoObserving(observe.requestedBy()));
        }
        if (input instanceof Input.Heard heard) {
            return with(state, context.learn(state.knowledge(), heard.event()));
        }
        if (input instanceof Input.Campaigned late && !isBeingReleased(state, late)) {
            return with(
                    state,
                    tooLate(context, state.knowledge(), late, state.departure().reason()));
        }
        return state;
    }

    /** Ends leadership and releases the lease, after the running work has ended or the wait for it is over. */
    static State depart(StepContext context, Knowledge before, HeldLease heldLease, Departure departure) {
        context.announce(context.lost(heldLease, departure.reason()));
        Knowledge knowledge = context.forgetLeader(before);
        // An application that stops must not wait long for a store that does not answer.
        long longest = departure.isFinal()
                ? context.timings().patienceAfter(0, before.latency())
                : context.timings().renewEvery();
        long until = Math.min(heldLease.deadline() + context.timings().driftMargin(), context.nanos() + longest);
        return release(context, knowledge, heldLease, departure, until);
    }

    /** Ends the candidacy of a follower that stops or becomes an observer. A grant that is under way must not block the others. */
    static State withdraw(StepContext context, Knowledge knowledge, Departure departure) {
        return release(
                context,
                knowledge,
                null,
                departure,
                context.nanos() + context.timings().patience());
    }

    /** Ends a departure. */
    static State settle(StepContext context, Knowledge knowledge, Departure departure, AbdicationOutcome outcome) {
        context.departed(outcome);
        return switch (departure.goal()) {
            case STOP -> stopped(context, knowledge);
            case RETURN ->
                CoolingDownRules.begin(context, knowledge, departure.how().cooldown());
            case OBSERVE -> ObserverRules.begin(context, knowledge);
        };
    }

    /** Stops. Forgets the leader, since the node gets no events from now on and would name that leader forever. */
    static State stopped(StepContext context, Knowledge knowledge) {
        return new Stopped(context.forgetLeader(knowledge).leaderless(false).hearing(Hearing.UNKNOWN));
    }

    /** Gives back a grant to a candidacy that has ended. Campaigns and releases may overtake each other. */
    static Knowledge tooLate(StepContext context, Knowledge knowledge, Input.Campaigned late, LossReason reason) {
        if (late.reply() instanceof CampaignReply.Granted granted) {
            context.giveBack(late.attempt(), granted, reason);
        }
        return FollowerRules.seen(knowledge, late.reply());
    }

    /** Whether the release under way is of this grant. A second release, which names no successor, could overtake it. */
    private static boolean isBeingReleased(Releasing state, Input.Campaigned late) {
        return state.heldLease() != null
                && late.reply() instanceof CampaignReply.Granted granted
                && granted.token().equals(state.heldLease().token());
    }

    private static State released(StepContext context, Releasing state, Input.Released input) {
        if (input.reply() instanceof NoAnswer failure) {
            if (!input.attempt().equals(state.release())) {
                return state;
            }
            Knowledge knowledge = context.failed(state.knowledge(), failure);
            boolean isWorthMore = state.heldLease() != null && !context.isDue(state.until());
            return isWorthMore
                    ? new Releasing(
                            knowledge,
                            state.heldLease(),
                            state.departure(),
                            null,
                            context.retryAt(knowledge),
                            state.until())
                    : settle(
                            context,
                            knowledge.withNewCandidacy(),
                            state.departure(),
                            AbdicationOutcome.ENDED_UNCONFIRMED);
        }
        // "Not held" is as good: an earlier release whose reply was lost has freed it.
        return settle(
                context,
                context.answered(state.knowledge(), input.attempt()).withNewCandidacy(),
                state.departure(),
                AbdicationOutcome.RELEASED);
    }

    private static State wake(StepContext context, Releasing state) {
        if (context.isDue(state.until())) {
            return settle(
                    context,
                    state.knowledge().withNewCandidacy(),
                    state.departure(),
                    AbdicationOutcome.ENDED_UNCONFIRMED);
        }
        if (!context.isDue(state.tryAt())) {
            return state;
        }
        Knowledge knowledge = state.release() == null ? state.knowledge() : context.timedOut(state.knowledge());
        return release(context, knowledge, state.heldLease(), state.departure(), state.until());
    }

    private static State release(
            StepContext context, Knowledge before, @Nullable HeldLease heldLease, Departure departure, long until) {
        Knowledge knowledge = before.attempting();
        Attempt attempt = context.attempt(knowledge);
        context.release(
                attempt,
                new ReleaseRequest(
                        attempt.candidate(),
                        heldLease == null ? null : heldLease.grant(),
                        context.timings().lease(),
                        departure.how(),
                        departure.reason()));
        return new Releasing(
                knowledge, heldLease, departure, attempt, context.nanos() + context.patience(knowledge), until);
    }

    private static State with(Releasing state, Knowledge knowledge) {
        return new Releasing(
                knowledge, state.heldLease(), state.departure(), state.release(), state.tryAt(), state.until());
    }

    private static State with(Releasing state, Departure departure) {
        return new Releasing(
                state.knowledge(), state.heldLease(), departure, state.release(), state.tryAt(), state.until());
    }
}
