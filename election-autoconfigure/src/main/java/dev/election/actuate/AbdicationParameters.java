package dev.election.actuate;

import dev.election.Abdication;
import dev.election.AbdicationRequest;
import dev.election.Leader;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/**
 * What an operator has said of an abdication, in his words: what can't be understood is to be answered in words, too.
 *
 * @param to the only node that may take over at first
 * @param cooldown how long the abdicated node stays out, as {@code 30s}
 * @param drain how long its running work may take
 * @param force whether it is evicted if it does not react
 */
record AbdicationParameters(
        @Nullable String to, @Nullable String cooldown, @Nullable String drain, @Nullable String force) {

    private static final Duration LONGEST = AbdicationRequest.LONGEST_COOLDOWN;

    /**
     * The request that this means.
     *
     * @throws IllegalArgumentException if it means nothing, with the reason
     */
    AbdicationRequest toRequest(Duration patience) {
        if (to != null && !Leader.isNodeId(to)) {
            throw new IllegalArgumentException(
                    "to: the id of a node is 1 to 128 of A-Z a-z 0-9 . _ : - but not '" + to + "'");
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

    private boolean isForced() {
        if (force == null || force.equals("false")) {
            return false;
        }
        if (force.equals("true")) {
            return true;
        }
        throw new IllegalArgumentException("force: true or false, but not '" + force + "'");
    }

    private static Duration time(String name, String text) {
        Duration time;
        try {
            time = DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException | ArithmeticException invalid) {
            throw new IllegalArgumentException(
                    name + ": a time such as 30s, 5m or PT30S, but not '" + text + "'", invalid);
        }
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + ": between nothing and one day, but not '" + text + "'");
        }
        return time;
    }
}
