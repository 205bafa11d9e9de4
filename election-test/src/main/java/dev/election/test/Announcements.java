package dev.election.test;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the listeners of an election still have to hear. It is noted where the change is made, under the lock of the election, and
 * told outside of that lock: in order, and never two events at a time.
 */
final class Announcements {

    private static final Logger log = LoggerFactory.getLogger(Announcements.class);

    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock telling = new ReentrantLock();

    void add(LeadershipListener listener) {
        listeners.add(listener);
    }

    void remove(LeadershipListener listener) {
        listeners.removeIf(known -> known == listener);
    }

    void note(LeadershipEvent event) {
        listeners.forEach(listener -> note(listener, event));
    }

    void note(LeadershipListener listener, LeadershipEvent event) {
        waiting.add(() -> tell(listener, event));
    }

    /** Returns when everything noted so far has been heard, unless a listener calls, which must be through before the next event. */
    void tellAll() {
        if (telling.isHeldByCurrentThread()) {
            return;
        }
        telling.lock();
        try {
            tellWaiting();
        } finally {
            telling.unlock();
        }
        tellSoon();
    }

    /** Leaves it to the thread that is telling, if there is one: a listener may be waiting for the caller to get on. */
    void tellSoon() {
        // Asked again each time, since what is noted while the last teller leaves would stay untold.
        while (!telling.isHeldByCurrentThread() && !waiting.isEmpty() && telling.tryLock()) {
            try {
                tellWaiting();
            } finally {
                telling.unlock();
            }
        }
    }

    private void tellWaiting() {
        for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
            next.run();
        }
    }

    private static void tell(LeadershipListener listener, LeadershipEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable failure) {
            log.error(
                    "The listener {} failed on {}; the election goes on",
                    listener.getClass().getName(),
                    event,
                    failure);
        }
    }
}
