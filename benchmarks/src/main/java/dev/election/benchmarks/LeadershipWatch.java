package dev.election.benchmarks;

import dev.election.Election;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Says when the node leads, as a thread sees it that waits for that. To ask again and again, as {@link BeliefPoll} does, would take
 * half of two processors from the nodes, and be measured along.
 */
final class LeadershipWatch extends Thread {

    private static final int PAUSE_MILLIS = 10;

    private final Election election;
    private final Voice voice;

    LeadershipWatch(Election election, Voice voice) {
        super("leadership-watch");
        this.election = election;
        this.voice = voice;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            while (true) {
                if (election.awaitLeadership(Duration.ofMinutes(1))) {
                    long before = System.nanoTime();
                    boolean believes = election.isLeader();
                    long after = System.nanoTime();
                    if (believes) {
                        voice.say("LEADS", before, after);
                        awaitEnd();
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitEnd() throws InterruptedException {
        while (election.isLeader()) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }
}
