package dev.election.watch;

import java.util.List;

/** Knows what is wrong with one kind of work of leaders. */
@FunctionalInterface
public interface Impediments {

    /** What is wrong with it in that election, if anything is; none of them says {@link Impediment#what()} twice. */
    List<Impediment> of(String election);
}
