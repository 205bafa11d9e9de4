package dev.election.engine;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** On the election thread only, so that no event falls between the welcome and the first announcement. */
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

    final class Seat {

        private final LeadershipListener listener;
        private final Queue<LeadershipEvent> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicInteger undelivered = new AtomicInteger();

        private Seat(LeadershipListener listener) {
            this.listener = listener;
        }

        void tell(LeadershipEvent event) {
            waiting.add(event);
            if (undelivered.getAndIncrement() == 0) {
                try {
                    callbacks.execute(this::deliver);
                } catch (RejectedExecutionException closing) {
                    log.debug("{} will not hear of {}: the callback executor is closed", listener, event);
                }
            }
        }

        private void deliver() {
            do {
                LeadershipEvent event = waiting.remove();
                try {
                    listener.onEvent(event);
                } catch (Throwable failure) {
                    log.error(
                            "The listener {} failed on {}; the election goes on",
                            listener.getClass().getName(),
                            event,
                            failure);
                }
            } while (undelivered.decrementAndGet() > 0);
        }
    }
}
