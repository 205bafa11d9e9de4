package dev.election.lifecycle;

import java.util.Set;

/** Part of a context that needs elections which no configuration names. */
public interface WantedElections {

    /** The names of the elections, asked when all beans have been made. */
    Set<String> names();
}
