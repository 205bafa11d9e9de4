package dev.election.internal.threads;

import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The queue of events of one listener, so that a slow listener delays no other. The listener is called for one event after the other.
 *
 * @param <E> the kind of event
 */
public final class ListenerQueue<E> {

    private static final Logger log = LoggerFactory.getLogger(ListenerDispatcher.class);

    /** Runs tasks later, on the thread of the timer: a thread of the common pool would outlive the elections by a minute. */
    private static final Executor LOOK_AGAIN =
            CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, Runnable::run);

    private final Object listener;
    private final Consumer<? super E> call;
    private final Executor callbacks;
    private final Deque<Runnable> waiting = new ConcurrentLinkedDeque<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();

    private volatile @Nullable Thread caller;

    /**
     * Creates an empty queue.
     *
     * @param listener named in the log
     * @param call calls the listener
     * @param callbacks where the listener is called
     */
    public ListenerQueue(Object listener, Consumer<? super E> call, Executor callbacks) {
        this.listener = listener;
        this.call = call;
        this.callbacks = callbacks;
    }

    public boolean isOf(Object other) {
        return listener == other;
    }

    boolean isCalledBy(Thread thread) {
        return caller == thread;
    }

    public void tell(List<? extends E> events) {
        tellLater(events);
        schedule();
    }

    /** Queues events, which wait until the next {@link #schedule}. */
    void tellLater(List<? extends E> events) {
        events.forEach(event -> waiting.add(() -> tellNow(event)));
    }

    /** Completes when the listener has been called for all queued events, or the time is up. */
    CompletableFuture<Void> called(Duration patience) {
        if (waiting.peekLast() instanceof Marker former && former.future.isDone()) {
            // stop() has already timed out on this listener, which got no event since: close() does not wait again.
            return former.future;
        }
        Marker marker = new Marker();
        waiting.add(marker);
        schedule();
        awaitCallOf(marker.future);
        return marker.future.completeOnTimeout(null, patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Checks repeatedly whether the listener ends the process, which it may do only when it gets the event of the stop. */
    private void awaitCallOf(CompletableFuture<Void> future) {
        Thread current = caller;
        if (current != null && ProcessExit.isCalledBy(current)) {
            future.complete(null);
        } else if (!future.isDone()) {
            LOOK_AGAIN.execute(() -> awaitCallOf(future));
        }
    }

    void schedule() {
        if (waiting.isEmpty() || !isScheduled.compareAndSet(false, true)) {
            return;
        }
        try {
            callbacks.execute(this::deliver);
        } catch (RuntimeException | Error rejected) {
            // The next event schedules the queued ones again. Callers that wait for them give up now.
            isScheduled.set(false);
            waiting.removeIf(next -> next instanceof Marker marker && marker.complete());
            if (waiting.isEmpty()) {
                return;
            }
            log.warn(
                    "Listener {} not notified yet: the executor for listeners rejected the task. Pending events: {}",
                    name(),
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
        // An event may have been queued in between.
        schedule();
    }

    /** Returns the listener if it has a text of its own, or else the name of its class. */
    private Object name() {
        Class<?> type = listener.getClass();
        try {
            return type.getMethod("toString").getDeclaringClass() == Object.class ? type.getName() : listener;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    private void tellNow(E event) {
        try {
            call.accept(event);
        } catch (Throwable failure) {
            log.error(
                    "Listener {} failed to handle {}. The election continues",
                    name(),
                    ReadableDuration.allIn(event),
                    failure);
        }
    }

    /** Marks the end of the events that a caller waits for. */
    private static final class Marker implements Runnable {

        private final CompletableFuture<Void> future = new CompletableFuture<>();

        @Override
        public void run() {
            complete();
        }

        /** Completes the wait. Returns true, as a predicate that removes the marker. */
        private boolean complete() {
            future.complete(null);
            return true;
        }
    }
}
