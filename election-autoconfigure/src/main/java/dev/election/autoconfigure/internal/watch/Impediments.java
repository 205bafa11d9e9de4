package dev.election.autoconfigure.internal.watch;

import java.util.List;

/** Reports failures of one kind of leader work. */
@FunctionalInterface
public interface Impediments {

    /** The present failures in that election. Each has another {@link Impediment#what()}. */
    List<Impediment> of(String election);
}
