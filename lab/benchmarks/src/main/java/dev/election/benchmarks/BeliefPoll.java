package dev.election.benchmarks;

import dev.election.Election;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks {@code isLeader()} again and again, and says when the answer changes. Each answer is put between two readings of the clock:
 * a process that is stopped between the question and the reading would otherwise seem to believe for longer than it does.
 */
final class BeliefPoll extends Thread {

    /** Three nodes that asked without a pause would leave no processor to the election. The kernel adds about 0.06 ms. */
    private static final long PAUSE_NANOS = 200_000;

    private final Election election;
    private final Voice voice;

    BeliefPoll(Election election, Voice voice) {
        super("belief-poll");
        this.election = election;
        this.voice = voice;
        setDaemon(true);
    }

    @Override
    public void run() {
        boolean believed = false;
        long asked = 0;
        long answered = 0;
        while (true) {
            long before = System.nanoTime();
            boolean believes = election.isLeader();
            long after = System.nanoTime();
            if (believes && !believed) {
                voice.say("LEADS", before, after);
            } else if (!believes && believed) {
                voice.say("ENDS", asked, answered, after);
            }
            if (believes) {
                asked = before;
                answered = after;
            }
            believed = believes;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
