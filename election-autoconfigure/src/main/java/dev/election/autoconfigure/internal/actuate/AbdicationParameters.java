package dev.election.autoconfigure.internal.actuate;

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
 */
record AbdicationParameters(
        @Nullable String to, @Nullable String cooldown, @Nullable String drain, @Nullable String force) {

    /** {@link AbdicationRequest#LONGEST_COOLDOWN}. */
    private static final String LONGEST = "1d";

    /**
     * Converts the parameters.
     *
     * @throws IllegalArgumentException if one of them is invalid, with the reason
     */
    AbdicationRequest toRequest(Duration patience) {
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
        AbdicationRequest request = AbdicationRequest.of(how).waitingFor(patience);
        return isForced() ? request.withForce() : request;
    }

    boolean isEmpty() {
        return to == null && cooldown == null && drain == null && force == null;
    }

    private boolean isForced() {
        if (force == null || force.equals("false")) {
            return false;
        }
        if (force.equals("true")) {
            return true;
        }
        throw new IllegalArgumentException("force: must be true or false but is '" + force + "'");
    }
}
