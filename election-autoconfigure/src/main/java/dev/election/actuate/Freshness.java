package dev.election.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where what is shown comes from.
 *
 * @param fromCache what this node had in memory
 * @param fromStore what the store was asked for
 * @param storeReadAt when, by the clock of the store; {@code null} if it was not asked or did not answer
 * @param problem why the store could not be asked, {@code null} if it could or was not
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record Freshness(
        List<String> fromCache, List<String> fromStore, @Nullable Instant storeReadAt, @Nullable String problem) {

    private static final List<String> OWN = List.of("role", "lastTransition", "runningWork");

    static Freshness read(Instant at) {
        return new Freshness(OWN, List.of("leader", "transitions"), at, null);
    }

    static Freshness cached(@Nullable String problem) {
        return new Freshness(List.of("role", "lastTransition", "runningWork", "leader"), List.of(), null, problem);
    }
}
