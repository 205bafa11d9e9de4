package dev.election.autoconfigure.checks;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** One check of the application or its environment. */
@FunctionalInterface
public interface Check {

    /** Runs the check. If it fails, because Redis can't be reached for instance, it is run again later. */
    CompletionStage<List<Finding>> look();

    /**
     * Whether it asks the store of the elections. While these get no answer they say themselves what is wrong, so that such a check is run again
     * later.
     */
    default boolean asksStore() {
        return false;
    }

    /** Whether a finding of this check still holds, by what is known without I/O. */
    default boolean holds(Finding finding) {
        return true;
    }
}
