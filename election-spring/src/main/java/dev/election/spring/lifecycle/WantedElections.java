package dev.election.spring.lifecycle;

import java.util.Set;

/** Names elections that a component of a context needs and that no property names. */
public interface WantedElections {

    /** The names of the elections. Called when all singletons have been created. */
    Set<String> names();
}
