package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.redis.internal.failure.Failures;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The commands that the elections can do without, at a cost: those of the history, and {@code PUBLISH}, by which nodes notify each other. */
final class OptionalCommands {

    private OptionalCommands() {}

    /**
     * Returns the optional commands that the user may not run.
     *
     * @param reply of optional-check.lua
     * @throws IllegalStateException if the election has no record yet
     */
    static Set<String> refused(List<String> reply) {
        if (!reply.get(0).equals("checked")) {
            throw new IllegalStateException("There is no record of the election yet");
        }
        Set<String> refused = new TreeSet<>();
        for (int i = 1; i < reply.size(); i += 2) {
            if (Failures.problem(reply.get(i + 1)) == StoreProblem.FORBIDDEN) {
                refused.add(reply.get(i));
            }
        }
        return refused;
    }
}
