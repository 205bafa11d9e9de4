package dev.election.autoconfigure.internal.actuate;

import dev.election.Abdication;
import dev.election.AbdicationRequest;
import dev.election.Leader;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

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

    private static final Duration LONGEST = AbdicationRequest.LONGEST_COOLDOWN;

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
            how = how.coolingDownFor(time("cooldown", cooldown));
        }
        if (drain != null) {
            how = how.drainingFor(time("drain", drain));
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

    private static Duration time(String name, String text) {
        Duration time;
        try {
            time = DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException | ArithmeticException invalid) {
            throw new IllegalArgumentException(
                    name + ": must be a duration such as 30s, 5m or PT30S but is '" + text + "'", invalid);
        }
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + ": must be between 0s and 1d but is '" + text + "'");
        }
        return time;
    }
}
