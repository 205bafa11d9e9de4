package dev.election.benchmarks;

/** How a node process finds out what {@code isLeader()} says, for its reports. */
enum Observation {
    /** Asks every 0.25 ms: sees when belief ends as well, and takes processor time from the nodes. */
    POLL,
    /** Waits for leadership: costs next to nothing, and sees the end of belief late. */
    WATCH;

    String command(String election) {
        return "observe " + election + " " + name();
    }
}
