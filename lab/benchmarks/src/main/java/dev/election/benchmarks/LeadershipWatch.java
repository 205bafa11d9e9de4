package dev.election.benchmarks;

import dev.election.Election;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Says when the node leads: as a thread sees it that waits for that, and when any thread saw it first. To ask again and again, as
 * {@link BeliefPoll} does, would take half of two processors from the nodes, and be measured along.
 */
final class LeadershipWatch extends Thread {

    private static final int PAUSE_MILLIS = 10;

    private final Election election;
    private final FirstSight sight;
    private final Voice voice;

    LeadershipWatch(Election election, FirstSight sight, Voice voice) {
        super("leadership-watch");
        this.election = election;
        this.sight = sight;
        this.voice = voice;
        setDaemon(true);
        sight.watch(election);
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
                        sight.look();
                        voice.say("LEADS", before, after, sight.at());
                        awaitEnd();
                    }
                    sight.forget();
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
