package dev.election.autoconfigure.internal.actuate.parameters;

import dev.election.Abdication;
import dev.election.AbdicationRequest;
import dev.election.Leader;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request to abdicate, as text: an invalid one is answered with a message.
 *
 * @param to the only node that may take over at first
 * @param cooldown how long the abdicated node does not campaign, as {@code 30s}
 * @param drain how long its running work may take
 * @param force whether a leader that does not react is evicted
 * @param reason why, for the log and the history
 */
public record AbdicationParameters(
        @Nullable String to,
        @Nullable String cooldown,
        @Nullable String drain,
        @Nullable String force,
        @Nullable String reason) {

    /** {@link AbdicationRequest#LONGEST_COOLDOWN}. */
    private static final String LONGEST = "1d";

    /**
     * Converts the parameters of a request in the name of that requester.
     *
     * @throws IllegalArgumentException if one of them is invalid, with the reason
     */
    public AbdicationRequest toRequest(Duration patience, String requester) {
        if (to != null && !Leader.isNodeId(to)) {
            throw new IllegalArgumentException(
                    "to: must be the id of a node, 1 to 128 of A-Z a-z 0-9 . _ : - but is '" + to + "'");
        }
        Abdication how = to == null ? Abdication.toAnyone() : Abdication.to(to);
        if (cooldown != null) {
            how = how.coolingDownFor(DurationParameter.parse("cooldown", cooldown, LONGEST));
        }
        if (drain != null) {
            how = how.drainingFor(DurationParameter.parse("drain", drain, LONGEST));
        }
        AbdicationRequest request =
                AbdicationRequest.of(how).waitingFor(patience).by(Reason.of(requester, reason));
        return flag("force", force) ? request.withForce() : request;
    }

    /**
     * Parses a parameter that is true or false; without a value it is false.
     *
     * @throws IllegalArgumentException if it is neither, with the reason
     */
    static boolean flag(String name, @Nullable String value) {
        if (value == null || value.equals("false")) {
            return false;
        }
        if (value.equals("true")) {
            return true;
        }
        throw new IllegalArgumentException(name + ": must be true or false but is '" + value + "'");
    }
}
