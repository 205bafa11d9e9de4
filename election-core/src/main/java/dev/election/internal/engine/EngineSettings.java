package dev.election.internal.engine;

import dev.election.internal.recovery.TakeOver;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of all elections of an engine.
 *
 * @param takeOver the beginning of a leadership
 * @param minimumMembers the number of candidates that an election needs before this process campaigns, by name
 * @param ledWith the elections that are led with another one, and that other one
 */
public record EngineSettings(
        Timings timings,
        Roles roles,
        TakeOver takeOver,
        Groups groups,
        Map<String, Integer> minimumMembers,
        Map<String, String> ledWith) {

    /**
     * Throws an {@link IllegalArgumentException} for a minimum that is no number of members, and for elections that can't be led together.
     */
    public EngineSettings {
        minimumMembers = Map.copyOf(minimumMembers);
        minimumMembers.forEach((election, minimum) -> {
            if (minimum < 1) {
                throw new IllegalArgumentException("The minimum of members of the election '" + election
                        + "' must be at least 1, but is " + minimum);
            }
        });
        ledWith = Map.copyOf(ledWith);
        for (Map.Entry<String, String> led : ledWith.entrySet()) {
            String election = led.getKey();
            boolean hasOwn = timings.special().containsKey(election)
                    || roles.special().containsKey(election)
                    || minimumMembers.containsKey(election);
            requireOneLease(election, led.getValue(), ledWith.get(led.getValue()), hasOwn);
        }
    }

    private static void requireOneLease(String election, String with, @Nullable String next, boolean hasOwn) {
        String refused = "The election '" + election + "' can't be led with '" + with + "'";
        if (next != null) {
            throw new IllegalArgumentException(
                    refused + ", which is led with '" + next + "': name an election that has a lease of its own");
        }
        if (hasOwn) {
            throw new IllegalArgumentException(refused
                    + " and have a timing, a role or a minimum of members of its own: it has those of '" + with + "'");
        }
    }
}
