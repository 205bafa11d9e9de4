package dev.election.internal.abdication;

import dev.election.AbdicationOutcome;
import dev.election.AbdicationRequest;
import dev.election.Leader;
import dev.election.LossReason;
import dev.election.store.NoAnswer;
import dev.election.support.ReadableDuration;
import org.jspecify.annotations.Nullable;

/** Outcomes of a {@link RemoteAbdication}. */
final class RemoteAbdicationOutcome {

    private RemoteAbdicationOutcome() {}

    /** Returns the outcome if the leadership has ended for that reason. */
    static AbdicationOutcome of(LossReason reason) {
        return switch (reason) {
            case ABDICATED, PREEMPTED, STOPPED -> AbdicationOutcome.RELEASED;
            case EVICTED -> AbdicationOutcome.EVICTED;
            case EXPIRED, SUPERSEDED, STORE_ERROR -> AbdicationOutcome.ENDED_UNCONFIRMED;
        };
    }

    /** Describes an outcome in a sentence, for the report. */
    static String detail(
            AbdicationOutcome outcome,
            AbdicationRequest request,
            @Nullable Leader before,
            @Nullable Leader after,
            @Nullable NoAnswer problem) {
        String old = before == null ? "The leader" : before.node();
        return switch (outcome) {
            case RELEASED -> old + " has released its leadership; " + successor(request, before, after);
            case ENDED_UNCONFIRMED ->
                "The leadership of " + old + " has ended, but its release is not confirmed; "
                        + successor(request, before, after);
            case EVICTED ->
                old + " was evicted; if it is still working, only its fencing token "
                        + (before == null ? "" : before.token())
                        + " distinguishes its work from that of the new leader; "
                        + successor(request, before, after);
            case NOT_LEADER -> "No node leads at the moment, so nothing was changed";
            case ALREADY_LEADS -> old + " leads already";
            case STILL_DRAINING ->
                old
                        + " has accepted the request and still waits for its running work; it releases when the work has ended or"
                        + " the drain time is over";
            case NO_REACTION ->
                old + " did not react within " + ReadableDuration.of(request.patience()) + " and still leads: "
                        + (problem == null
                                ? "try again, or use force if it hangs"
                                : "the request was not delivered: " + reason(problem));
            case STORE_UNAVAILABLE ->
                "The outcome of the request is unknown: " + (problem == null ? "no reply" : reason(problem));
            case UNSUPPORTED -> "The store can't do what the request needs, so nothing was changed";
        };
    }

    private static String reason(NoAnswer problem) {
        return problem.action() + " (" + problem.detail() + ")";
    }

    private static String successor(AbdicationRequest request, @Nullable Leader before, @Nullable Leader after) {
        String wished = request.how().successor();
        String missed = wished == null || (after != null && after.node().equals(wished))
                ? ""
                : "; " + wished + " did not take over within "
                        + ReadableDuration.of(request.how().reserve());
        if (after == null) {
            return "no node has taken over yet" + missed;
        }
        boolean isAgain = before != null && before.node().equals(after.node());
        return (isAgain ? "no other node took over, and it leads again" : after.node() + " leads now") + missed;
    }
}
