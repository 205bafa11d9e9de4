package dev.election.internal.engine;

import dev.election.members.MemberEvent;
import dev.election.members.MemberListener;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners to the members. Each has a queue of its own, so that a slow one delays no other. */
final class MemberListeners {

    private static final Logger log = LoggerFactory.getLogger(MemberListeners.class);

    private final Executor callbacks;
    private final List<Seat> seats = new CopyOnWriteArrayList<>();

    MemberListeners(Executor callbacks) {
        this.callbacks = callbacks;
    }

    void add(MemberListener listener, List<? extends MemberEvent> welcome) {
        Seat seat = new Seat(listener);
        seats.add(seat);
        seat.tell(welcome);
    }

    void remove(MemberListener listener) {
        seats.removeIf(seat -> seat.listener == listener);
    }

    void tell(List<? extends MemberEvent> events) {
        seats.forEach(seat -> seat.tell(events));
    }

    private final class Seat {

        private final MemberListener listener;
        private final Queue<MemberEvent> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isScheduled = new AtomicBoolean();

        private Seat(MemberListener listener) {
            this.listener = listener;
        }

        private void tell(List<? extends MemberEvent> events) {
            waiting.addAll(events);
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
                        "Listener {} not notified of members yet: the executor for listeners rejected the task. Pending"
                                + " events: {}",
                        listener,
                        waiting.size(),
                        rejected);
            }
        }

        private void deliver() {
            try {
                for (MemberEvent next = waiting.poll(); next != null; next = waiting.poll()) {
                    tellNow(next);
                }
            } finally {
                isScheduled.set(false);
            }
            // Something may have come in between.
            schedule();
        }

        private void tellNow(MemberEvent event) {
            try {
                listener.onEvent(event);
            } catch (Throwable failure) {
                log.error("Listener {} failed to handle {}", listener.getClass().getName(), event, failure);
            }
        }
    }
}
