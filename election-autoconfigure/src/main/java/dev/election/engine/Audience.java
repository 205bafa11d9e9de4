package dev.election.engine;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of an election. Each has a queue of its own, so that a slow one delays no other. */
final class Audience {

    private static final Logger log = LoggerFactory.getLogger(Audience.class);

    private final Executor callbacks;
    private final List<Seat> seats = new CopyOnWriteArrayList<>();

    Audience(Executor callbacks) {
        this.callbacks = callbacks;
    }

    /** In the loop only, so that no event falls between the welcome and the first announcement. */
    Seat seat(LeadershipListener listener) {
        Seat seat = new Seat(listener);
        seats.add(seat);
        return seat;
    }

    void remove(LeadershipListener listener) {
        seats.removeIf(seat -> seat.listener == listener);
    }

    void tell(LeadershipEvent event) {
        seats.forEach(seat -> seat.tell(event));
    }

    /** Runs something that is not the election's own business. */
    void elsewhere(Runnable task) {
        try {
            callbacks.execute(task);
        } catch (RuntimeException | Error rejected) {
            log.debug("No thread for callbacks: it is done in the loop", rejected);
            task.run();
        }
    }

    final class Seat {

        private final LeadershipListener listener;
        private final Queue<LeadershipEvent> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isScheduled = new AtomicBoolean();

        private Seat(LeadershipListener listener) {
            this.listener = listener;
        }

        void tell(LeadershipEvent event) {
            waiting.add(event);
            schedule();
        }

        private void schedule() {
            if (!isScheduled.compareAndSet(false, true)) {
                return;
            }
            try {
                callbacks.execute(this::deliver);
            } catch (RuntimeException | Error rejected) {
                // Kept for the next event to bring along.
                isScheduled.set(false);
                log.warn("{} hears of {} later or never: no thread would tell it", listener, waiting, rejected);
            }
        }

        private void deliver() {
            try {
                for (LeadershipEvent event = waiting.poll(); event != null; event = waiting.poll()) {
                    tellNow(event);
                }
            } finally {
                isScheduled.set(false);
            }
            if (!waiting.isEmpty()) {
                schedule();
            }
        }

        private void tellNow(LeadershipEvent event) {
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
}
