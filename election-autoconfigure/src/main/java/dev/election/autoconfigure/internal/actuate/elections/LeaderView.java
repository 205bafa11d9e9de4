package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.Leader;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A leader, as the endpoint shows it.
 *
 * @param node the id of the node
 * @param address the address that the node has announced
 * @param token the token of its leadership
 * @param since when it was granted, by the clock of the store
 * @param leaseRemaining how long its lease lasts unless it is renewed; {@code null} if that was not read
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record LeaderView(String node, String address, long token, Instant since, @Nullable String leaseRemaining) {

    static @Nullable LeaderView of(@Nullable Leader leader, @Nullable Duration remaining) {
        return leader == null
                ? null
                : new LeaderView(
                        leader.node(),
                        leader.address(),
                        leader.token().value(),
                        leader.since(),
                        remaining == null ? null : ReadableDuration.of(remaining));
    }
}
