package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which values of a view come from the store and which from memory.
 *
 * @param fromCache the values from the memory of this node
 * @param fromStore the values from the store
 * @param storeReadAt when the store was read, by its clock; {@code null} if it was not read
 * @param problem why reading the store failed, {@code null} if it did not fail or was not tried
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record Freshness(
        List<String> fromCache, List<String> fromStore, @Nullable Instant storeReadAt, @Nullable String problem) {

    private static final List<String> OWN = List.of("role", "lastTransition", "runningWork");

    static Freshness read(Instant at) {
        return new Freshness(OWN, List.of("leader", "leaderships"), at, null);
    }

    static Freshness cached(@Nullable String problem) {
        return new Freshness(List.of("role", "lastTransition", "runningWork", "leader"), List.of(), null, problem);
    }
}
