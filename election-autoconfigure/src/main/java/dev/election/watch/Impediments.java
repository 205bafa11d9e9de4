package dev.election.watch;

import java.util.Optional;

/** Knows what is wrong with one kind of work of leaders. */
@FunctionalInterface
public interface Impediments {

    /** What is wrong with it in that election, if anything is. */
    Optional<Impediment> of(String election);
}
