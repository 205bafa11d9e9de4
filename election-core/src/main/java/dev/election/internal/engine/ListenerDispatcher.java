package dev.election.internal.engine;

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

/** The listeners of an election. Each has a queue of its own, so that a slow one delays no other. */
final class ListenerDispatcher {

    private static final Logger log = LoggerFactory.getLogger(ListenerDispatcher.class);

    private final Executor messenger;
    private final Executor callbacks;
    private final List<ListenerQueue<LeadershipEvent>> queues = new CopyOnWriteArrayList<>();

    /** Told of a listener that throws at the beginning of a leadership, on its thread. */
    private volatile BiConsumer<LeadershipEvent.Acquired, Throwable> failedStarts = (event, failure) -> {};

    /**
     * @param messenger wakes the threads of the callbacks, or begins them: either takes longer than to decide who leads
     * @param callbacks where listeners run
     */
    ListenerDispatcher(Executor messenger, Executor callbacks) {
        this.messenger = messenger;
        this.callbacks = callbacks;
    }

    /** Tells of listeners that throw at the beginning of a leadership, on their threads. */
    void onFailedStart(BiConsumer<LeadershipEvent.Acquired, Throwable> listener) {
        failedStarts = listener;
    }

    /** In the loop only, so that no event falls between the welcome and the first announcement. */
    ListenerQueue<LeadershipEvent> add(LeadershipListener listener) {
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

    void remove(LeadershipListener listener) {
        queues.removeIf(queue -> queue.isOf(listener));
    }

    /** Tells all of them in that order. */
    void tell(List<LeadershipEvent> events) {
        queues.forEach(queue -> queue.tellLater(events));
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
        return CompletableFuture.allOf(queues.stream()
                .filter(queue -> !queue.isCalledBy(waiting))
                .map(queue -> queue.called(patience))
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
