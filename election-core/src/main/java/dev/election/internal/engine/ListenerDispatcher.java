package dev.election.internal.engine;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of an election. Each has a queue of its own, so that a slow one delays no other. */
final class ListenerDispatcher {

    private static final Logger log = LoggerFactory.getLogger(ListenerDispatcher.class);

    /** A look is short: it needs no thread of the common pool, which would outlive the elections by a minute. */
    private static final Executor LOOK_AGAIN =
            CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

    private final Executor messenger;
    private final Executor callbacks;
    private final List<Seat> seats = new CopyOnWriteArrayList<>();

    /**
     * @param messenger wakes the threads of the callbacks, or begins them: either takes longer than to decide who leads
     * @param callbacks where listeners run
     */
    ListenerDispatcher(Executor messenger, Executor callbacks) {
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
        seats.forEach(seat -> seat.tellLater(events));
        if (events.stream().anyMatch(LeadershipEvent.Acquired.class::isInstance)) {
            // The work of a leader waits for this: no messenger in between.
            schedule();
        } else {
            send(this::schedule);
        }
    }

    /**
     * Completes when every listener has been called for all that it was told so far, or the time is up. Not waited for is a listener
     * that itself waits for the end of this: one that runs on the thread that waits, or that ends the process.
     *
     * @param patience how long each of them is waited for
     * @param waiting the thread for which this is asked
     */
    CompletableFuture<Void> called(Duration patience, Thread waiting) {
        return CompletableFuture.allOf(seats.stream()
                .filter(seat -> seat.caller != waiting)
                .map(seat -> seat.called(patience))
                .toArray(CompletableFuture[]::new));
    }

    /** Runs something that is not the election's own business. */
    void elsewhere(Runnable task) {
        send(() -> {
            try {
                callbacks.execute(task);
            } catch (RuntimeException | Error rejected) {
                log.debug(
                        "The executor for callbacks rejected a task, which runs on the thread of the elections",
                        rejected);
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
        private final Deque<Runnable> waiting = new ConcurrentLinkedDeque<>();
        private final AtomicBoolean isScheduled = new AtomicBoolean();

        private volatile @Nullable Thread caller;

        private Seat(LeadershipListener listener) {
            this.listener = listener;
        }

        void tell(LeadershipEvent event) {
            tellLater(List.of(event));
            schedule();
        }

        private void tellLater(List<LeadershipEvent> events) {
            events.forEach(event -> waiting.add(() -> tellNow(event)));
        }

        private CompletableFuture<Void> called(Duration patience) {
            if (waiting.peekLast() instanceof Reached former && former.future.isDone()) {
                // Was waited for in vain, and has been told nothing since: a stop and then a close take the time of
                // one.
                return former.future;
            }
            Reached reached = new Reached();
            waiting.add(reached);
            schedule();
            awaitCallOf(reached.future);
            return reached.future.completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS);
        }

        /** Looks again and again, since a listener may end the process only when it hears of the stop. */
        private void awaitCallOf(CompletableFuture<Void> reached) {
            Thread current = caller;
            if (current != null && ProcessExit.isCalledBy(current)) {
                reached.complete(null);
            } else if (!reached.isDone()) {
                LOOK_AGAIN.execute(() -> awaitCallOf(reached));
            }
        }

        private void schedule() {
            if (waiting.isEmpty() || !isScheduled.compareAndSet(false, true)) {
                return;
            }
            try {
                callbacks.execute(this::deliver);
            } catch (RuntimeException | Error rejected) {
                // Events are kept for the next one to bring along; nobody waits for that.
                isScheduled.set(false);
                waiting.removeIf(next -> next instanceof Reached reached && reached.isReached());
                if (waiting.isEmpty()) {
                    return;
                }
                log.warn(
                        "Listener {} not notified yet: the executor for listeners rejected the task. Pending events: {}",
                        listener,
                        waiting.size(),
                        rejected);
            }
        }

        private void deliver() {
            caller = Thread.currentThread();
            try {
                for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                    next.run();
                }
            } finally {
                caller = null;
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
                        "Listener {} failed to handle {}. The election continues",
                        listener.getClass().getName(),
                        ReadableDuration.allIn(event),
                        failure);
            }
        }
    }

    /** A place in a queue, behind all that somebody waits for. */
    private static final class Reached implements Runnable {

        private final CompletableFuture<Void> future = new CompletableFuture<>();

        @Override
        public void run() {
            isReached();
        }

        private boolean isReached() {
            future.complete(null);
            return true;
        }
    }
}
