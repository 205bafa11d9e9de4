package dev.election.internal.engine;

import dev.election.NodeInfo;
import dev.election.internal.recovery.TakeOver;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The settings of all elections of an engine.
 *
 * @param nodes describes this process, at each start
 * @param takeOver the beginning of a leadership
 * @param minimumMembers the number of candidates that an election needs before this process campaigns, by name
 */
public record EngineSettings(
        Supplier<NodeInfo> nodes,
        Timings timings,
        Roles roles,
        TakeOver takeOver,
        Groups groups,
        Map<String, Integer> minimumMembers) {

    /** Throws an {@link IllegalArgumentException} for a minimum that is no number of members. */
    public EngineSettings {
        minimumMembers = Map.copyOf(minimumMembers);
        minimumMembers.forEach((election, minimum) -> {
            if (minimum < 1) {
                throw new IllegalArgumentException("The minimum of members of the election '" + election
                        + "' must be at least 1, but is " + minimum);
            }
        });
    }
}
