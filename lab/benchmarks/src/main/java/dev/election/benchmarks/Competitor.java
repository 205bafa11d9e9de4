package dev.election.benchmarks;

/** A node of some library that competes for leadership, or for what comes next to it, in a database. */
interface Competitor {

    /** Takes part from now on, and tells each time that it begins to lead. */
    void start(Runnable leads) throws Exception;

    /** Leaves, as an application does that is shut down. */
    void stop() throws Exception;
}
