package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks whether this node is master, again and again, and runs a job of which each slot is for the master. All nodes of a machine
 * count the same slots.
 */
final class MasterPoll {

    private static final Logger log = LoggerFactory.getLogger(MasterPoll.class);

    /** Between two questions. */
    static final long PAUSE = Duration.ofMillis(10).toNanos();

    /** Of the job. */
    static final long SLOT = Duration.ofMillis(100).toNanos();

    private final String node;
    private final BooleanSupplier master;
    private final Consumer<Entry> history;
    private final Consumer<String> voice;

    MasterPoll(String node, BooleanSupplier master, Consumer<Entry> history, Consumer<String> voice) {
        this.node = node;
        this.master = master;
        this.history = history;
        this.voice = voice;
    }

    void start() {
        start("poll", this::poll);
        start("job", this::work);
    }

    private void poll() {
        boolean was = false;
        while (true) {
            Entry.Answer answer = ask();
            if (answer != null) {
                history.accept(answer);
                if (answer.leads() != was) {
                    was = answer.leads();
                    voice.accept("master " + was);
                }
            }
            long asleep = System.nanoTime();
            LockSupport.parkNanos(PAUSE);
            Stalls.noticedBy(node, asleep, PAUSE, System.nanoTime()).forEach(history);
        }
    }

    private void work() {
        long last = System.nanoTime() / SLOT;
        while (true) {
            long slot = System.nanoTime() / SLOT;
            if (slot == last) {
                LockSupport.parkNanos((slot + 1) * SLOT - System.nanoTime());
                continue;
            }
            last = slot;
            Entry.Answer answer = ask();
            if (answer != null && answer.leads()) {
                history.accept(new Entry.Ran(node, slot, answer.askedAt(), answer.answeredAt()));
            }
        }
    }

    /** Nothing if the question could not be answered: an old node has to ask Redis. */
    private Entry.@Nullable Answer ask() {
        long askedAt = System.nanoTime();
        try {
            boolean leads = master.getAsBoolean();
            return new Entry.Answer(node, leads, 0, askedAt, System.nanoTime());
        } catch (RuntimeException failure) {
            log.warn("Nobody knows whether this node is master", failure);
            return null;
        }
    }

    private static void start(String name, Runnable loop) {
        Thread thread = new Thread(loop, name);
        thread.setDaemon(true);
        thread.start();
    }
}
