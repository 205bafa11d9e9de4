package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A past leadership or the present one, as the endpoint shows it.
 *
 * @param node the id of the leader
 * @param address the address that the leader had announced
 * @param token the token of the leadership
 * @param from when it was granted, by the clock of the store
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record LeadershipView(String node, String address, long token, Instant from, @JsonUnwrapped End end) {

    /**
     * The end of a leadership.
     *
     * @param until when it was, {@code null} while the leadership lasts
     * @param reason why it came, {@code null} while the leadership lasts
     * @param requestedBy who asked the leader to give up, and why, {@code null} if nobody did
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record End(@Nullable Instant until, @Nullable LossReason reason, @Nullable String requestedBy) {}

    static LeadershipView of(LeadershipRecord past) {
        return new LeadershipView(
                past.leader().node(),
                past.leader().address(),
                past.leader().token().value(),
                past.leader().since(),
                new End(past.until(), past.reason(), past.requestedBy()));
    }
}
