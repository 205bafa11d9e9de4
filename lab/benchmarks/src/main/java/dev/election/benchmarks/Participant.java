package dev.election.benchmarks;

import java.time.Duration;

/** A node of some library that leads or follows elections, or has locks or waits for them. */
public interface Participant {

    /** Takes part in that many elections from now on, {@code e0} first. */
    void start(int elections);

    /** Whether it leads, or knows who does, in each of its elections within that time, as far as the library tells that. */
    boolean awaitResults(Duration patience) throws InterruptedException;

    /** Hands the election {@code e0}, which it leads, to another. */
    void abdicate();

    /** Counts since the start. */
    Tally tally();
}
