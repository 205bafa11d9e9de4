package dev.election.autoconfigure.watch;

import dev.election.LeaderWork;

/** Watches leader work that no guard admits, such as a run of a Quartz job, as guarded calls are watched. */
@FunctionalInterface
public interface WorkWatch {

    /**
     * Registers admitted work until it ends.
     *
     * @param election the name of the election
     * @param what the name of the work, for messages
     * @param work the admitted work
     * @return the work to close in place of the given one
     */
    LeaderWork watch(String election, String what, LeaderWork work);
}
