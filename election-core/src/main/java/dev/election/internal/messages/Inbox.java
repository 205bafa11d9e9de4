package dev.election.internal.messages;

import dev.election.members.MessageCount;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queues messages and runs their handlers. Thread-safe. */
final class Inbox {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final Executor threads;
    private final Consumer<Delivery> handler;
    private final HangWatch watch;
    private final Counts counts;

    /** Guarded by this. */
    private final FairQueue queue = new FairQueue();

    /** Messages that were dropped since the queue was empty last. Guarded by this. */
    private long dropped;

    /**
     * Creates an empty inbox.
     *
     * @param threads where handlers run
     * @param handler handles a message, and throws nothing
     * @param watch logs handlers that hang
     */
    Inbox(Executor threads, Consumer<Delivery> handler, HangWatch watch, Counts counts) {
        this.threads = threads;
        this.handler = handler;
        this.watch = watch;
        this.counts = counts;
    }

    /** Queues a message; a full queue drops it or another one. */
    void add(Delivery delivery) {
        boolean isDropped;
        boolean isFirst;
        List<Delivery> next;
        synchronized (this) {
            isDropped = queue.add(delivery);
            isFirst = isDropped && dropped == 0;
            dropped += isDropped ? 1 : 0;
            next = takeAll();
        }
        if (isDropped) {
            counts.add(MessageCount.OVERFLOW);
        }
        if (isFirst) {
            log.warn(
                    "{} messages of members wait for their handlers. Further ones are dropped, those of the member with most of"
                            + " them first: find out which handlers are slow, or send fewer messages",
                    FairQueue.MOST_WAITING);
        }
        next.forEach(this::start);
    }

    /** Drops all queued messages. Running handlers go on. */
    synchronized void clear() {
        queue.clear();
        dropped = 0;
    }

    private List<Delivery> takeAll() {
        List<Delivery> all = new ArrayList<>();
        for (Delivery next = queue.next(); next != null; next = queue.next()) {
            all.add(next);
        }
        return all;
    }

    private void start(Delivery delivery) {
        try {
            threads.execute(() -> handleFrom(delivery));
        } catch (RejectedExecutionException closed) {
            log.debug("A message of type {} is not handled", delivery.type(), closed);
            synchronized (this) {
                queue.done(delivery);
            }
        }
    }

    /** Handles a message and then, instead of beginning another thread, one of those that may be handled next. */
    private void handleFrom(Delivery first) {
        for (@Nullable Delivery next = first; next != null; next = after(next)) {
            watch.begun(next);
            try {
                handler.accept(next);
            } finally {
                watch.ended(next);
            }
        }
    }

    private @Nullable Delivery after(Delivery done) {
        List<Delivery> next;
        long lost = 0;
        synchronized (this) {
            queue.done(done);
            next = takeAll();
            if (queue.waiting() == 0) {
                lost = dropped;
                dropped = 0;
            }
        }
        if (lost > 0) {
            log.info("No message of members waits for its handler any more. Messages that were dropped: {}", lost);
        }
        next.stream().skip(1).forEach(this::start);
        return next.isEmpty() ? null : next.get(0);
    }
}
