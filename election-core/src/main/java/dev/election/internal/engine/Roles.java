package dev.election.internal.engine;

import dev.election.AssignedRole;
import dev.election.internal.election.LocalElection;
import dev.election.internal.log.Names;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * The roles that this process is assigned in its elections.
 *
 * @param common the role in an election without one of its own
 * @param special the roles in single elections, by name
 */
public record Roles(AssignedRole common, Map<String, AssignedRole> special) {

    /** The role of a candidate in every election. */
    public static final Roles CANDIDATE = new Roles(AssignedRole.CANDIDATE, Map.of());

    AssignedRole of(String election) {
        return special.getOrDefault(election, common);
    }

    /** Lists the elections in which this process is an observer, as the end of a sentence; empty if there is none. */
    static String describe(Collection<LocalElection> elections, Groups groups) {
        List<String> observed = elections.stream()
                .filter(election -> election.assignedRole() == AssignedRole.OBSERVER)
                .map(LocalElection::name)
                .toList();
        if (observed.isEmpty()) {
            return "";
        }
        if (observed.size() == elections.size()) {
            return ", as an observer";
        }
        return ", as an observer in " + Names.listed(groups.together(observed), name -> "");
    }
}
