package dev.election.internal.threads;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies the listeners of an election, each by a {@link ListenerQueue}. */
public final class ListenerDispatcher {

    private static final Logger log = LoggerFactory.getLogger(ListenerDispatcher.class);

    private final Executor messenger;
    private final Executor callbacks;
    private final List<ListenerQueue<LeadershipEvent>> queues = new CopyOnWriteArrayList<>();

    /** Takes the failure of a listener to {@code Acquired}, on the thread of that listener. */
    private volatile BiConsumer<LeadershipEvent.Acquired, Throwable> failedStarts = (event, failure) -> {};

    /**
     * @param messenger calls {@code callbacks}, since to wake or start its threads takes longer than to decide who leads
     * @param callbacks where listeners run
     */
    public ListenerDispatcher(Executor messenger, Executor callbacks) {
        this.messenger = messenger;
        this.callbacks = callbacks;
    }

    /** Sets the consumer of failures of listeners to {@code Acquired}, which runs on their threads. */
    public void onFailedStart(BiConsumer<LeadershipEvent.Acquired, Throwable> listener) {
        failedStarts = listener;
    }

    /** Adds a listener. On the loop only, so that no event is lost between the first event for a new listener and the next announcement. */
    public ListenerQueue<LeadershipEvent> add(LeadershipListener listener) {
        ListenerQueue<LeadershipEvent> queue = new ListenerQueue<>(listener, event -> call(listener, event), callbacks);
        queues.add(queue);
        return queue;
    }

    private void call(LeadershipListener listener, LeadershipEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable failure) {
            if (event instanceof LeadershipEvent.Acquired acquired) {
                failedStarts.accept(acquired, failure);
            }
            throw failure;
        }
    }

    public void remove(LeadershipListener listener) {
        queues.removeIf(queue -> queue.isOf(listener));
    }

    /** Notifies all listeners of the events in that order. */
    public void tell(List<LeadershipEvent> events) {
        queues.forEach(queue -> queue.tellLater(events));
        if (events.stream().anyMatch(LeadershipEvent.Acquired.class::isInstance)) {
            // The work of a leader waits for this event, so it takes no detour over the messenger.
            schedule();
        } else {
            send(this::schedule);
        }
    }

    /**
     * Completes when every listener has been called for all events so far, or the time is up. Does not wait for a listener that waits for this
     * result: one that runs on the waiting thread, or that ends the process.
     *
     * @param patience how long each listener is waited for
     * @param waiting the thread that waits for the result
     */
    public CompletableFuture<Void> called(Duration patience, Thread waiting) {
        return CompletableFuture.allOf(queues.stream()
                .filter(queue -> !queue.isCalledBy(waiting))
                .map(queue -> queue.called(patience))
                .toArray(CompletableFuture[]::new));
    }

    /** Runs a task of callers on the executor for callbacks, so that it does not delay the elections. */
    public void elsewhere(Runnable task) {
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
        queues.forEach(ListenerQueue::schedule);
    }

    private void send(Runnable message) {
        try {
            messenger.execute(message);
        } catch (RejectedExecutionException closed) {
            message.run();
        }
    }
}
