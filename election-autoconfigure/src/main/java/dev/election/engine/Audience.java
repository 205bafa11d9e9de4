package dev.election.engine;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of an election. Each has a queue of its own, so that a slow one delays no other. */
final class Audience {

    private static final Logger log = LoggerFactory.getLogger(Audience.class);

    private final Executor messenger;
    private final Executor callbacks;
    private final List<Seat> seats = new CopyOnWriteArrayList<>();

    /**
     * @param messenger wakes the threads of the callbacks, or begins them: either takes longer than to decide who leads
     * @param callbacks where listeners run
     */
    Audience(Executor messenger, Executor callbacks) {
        this.messenger = messenger;
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

    /** Tells all of them in that order. */
    void tell(List<LeadershipEvent> events) {
        seats.forEach(seat -> seat.waiting.addAll(events));
        if (events.stream().anyMatch(LeadershipEvent.Acquired.class::isInstance)) {
            // The work of a leader waits for this: no messenger in between.
            schedule();
        } else {
            send(this::schedule);
        }
    }

    /** Runs something that is not the election's own business. */
    void elsewhere(Runnable task) {
        send(() -> {
            try {
                callbacks.execute(task);
            } catch (RuntimeException | Error rejected) {
                log.debug("No thread for callbacks: it is done in the loop", rejected);
                task.run();
            }
        });
    }

    private void schedule() {
        seats.forEach(Seat::schedule);
    }

    private void send(Runnable message) {
        try {
            messenger.execute(message);
        } catch (RejectedExecutionException closed) {
            message.run();
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
            if (waiting.isEmpty() || !isScheduled.compareAndSet(false, true)) {
                return;
            }
            try {
                callbacks.execute(this::deliver);
            } catch (RuntimeException | Error rejected) {
                // Kept for the next event to bring along.
                isScheduled.set(false);
                log.warn(
                        "The listener {} is not called now, since the executor of the listeners refuses tasks. Events that wait: {}",
                        listener,
                        waiting,
                        rejected);
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
            // Something may have come in between.
            schedule();
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
