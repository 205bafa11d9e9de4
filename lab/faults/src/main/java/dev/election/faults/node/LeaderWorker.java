package dev.election.faults.node;

import dev.election.Election;
import dev.election.LeaderWork;
import dev.election.faults.history.Entry;
import dev.election.faults.history.Entry.Write.Outcome;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Does guarded work: takes a little while between its admission and its writes, so that a pause may fall in between. */
final class LeaderWorker extends Thread {

    private static final long PAUSE = Duration.ofMillis(60).toNanos();
    private static final long WORK = Duration.ofMillis(20).toNanos();

    private final String node;
    private final Election election;
    private final List<FencedResource> resources;
    private final Voice voice;
    private final AtomicLong hang = new AtomicLong();

    LeaderWorker(String node, Election election, List<FencedResource> resources, Voice voice) {
        super("leader-worker");
        this.node = node;
        this.election = election;
        this.resources = List.copyOf(resources);
        this.voice = voice;
        setDaemon(true);
    }

    /** Lets the next piece of work take that long. */
    void hangFor(Duration time) {
        hang.set(time.toNanos());
    }

    @Override
    public void run() {
        while (true) {
            Optional<LeaderWork> admitted = election.beginWork();
            if (admitted.isPresent()) {
                try (LeaderWork work = admitted.get()) {
                    pause(WORK + hang.getAndSet(0));
                    long token = work.token().value();
                    resources.forEach(resource -> write(resource, token));
                }
            }
            pause(PAUSE);
        }
    }

    private void write(FencedResource resource, long token) {
        long sentAt = System.nanoTime();
        long sequence = 0;
        Outcome outcome;
        try {
            sequence = resource.write(token);
            outcome = sequence == 0 ? Outcome.REFUSED : Outcome.APPLIED;
        } catch (IOException | SQLException unknown) {
            outcome = Outcome.UNKNOWN;
        }
        voice.say(new Entry.Write(node, resource.name(), token, outcome, sequence, sentAt, System.nanoTime()));
    }

    private static void pause(long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
