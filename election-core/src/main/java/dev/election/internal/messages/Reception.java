package dev.election.internal.messages;

import dev.election.members.Member;
import dev.election.members.MessageCount;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes what comes over the channels, from whomever: reads it, and passes on what has a known sender and a handler. What is dropped is counted. On
 * any thread, and never for long.
 */
public final class Reception {

    private final Surroundings around;
    private final Inbox inbox;
    private final Counts counts;
    private final LongSupplier nanos;
    private final long patience;

    /** Guarded by this. */
    private final Strangers strangers = new Strangers();

    /** Guarded by this. */
    private boolean isLookingLater;

    /**
     * Creates it.
     *
     * @param around what this process knows
     * @param inbox where messages wait
     * @param nanos the monotonic clock
     * @param patience how many nanoseconds a message waits for its sender to become known
     */
    public Reception(Surroundings around, Inbox inbox, Counts counts, LongSupplier nanos, long patience) {
        this.around = around;
        this.inbox = inbox;
        this.counts = counts;
        this.nanos = nanos;
        this.patience = patience;
    }

    /** Takes a text. */
    public void receive(String text) {
        if (Envelope.isTooLong(text)) {
            counts.add(MessageCount.OVERSIZED);
            return;
        }
        Optional<Envelope> read = Envelope.read(text);
        if (read.isEmpty()) {
            counts.add(MessageCount.MALFORMED);
        } else if (read.get().kind().isReply()) {
            around.reply(read.get());
        } else {
            take(read.get());
        }
    }

    /** Looks again at messages whose sender was unknown: the members have changed, or time has passed. */
    public synchronized void look() {
        if (strangers.isEmpty()) {
            return;
        }
        strangers.takeKnown(around::member).forEach(this::pass);
        for (int left = strangers.dropOverdue(nanos.getAsLong()); left > 0; left--) {
            counts.add(MessageCount.UNKNOWN_SENDER);
        }
    }

    /** Drops all that waits. */
    public synchronized void clear() {
        strangers.clear();
        inbox.clear();
    }

    private synchronized void take(Envelope envelope) {
        Member from = around.member(envelope.from());
        if (from != null) {
            if (strangers.holds(envelope.from())) {
                // The earlier ones first.
                look();
            }
            pass(new Delivery(envelope, from));
        } else if (!strangers.hold(envelope, nanos.getAsLong() + patience)) {
            counts.add(MessageCount.UNKNOWN_SENDER);
        } else if (!isLookingLater) {
            isLookingLater = true;
            around.later(patience, this::lookLater);
        }
    }

    private synchronized void lookLater() {
        look();
        isLookingLater = !strangers.isEmpty();
        if (isLookingLater) {
            around.later(patience, this::lookLater);
        }
    }

    private void pass(Delivery delivery) {
        if (around.handles(delivery.type())) {
            inbox.add(delivery);
        } else {
            around.unhandled(delivery.envelope());
        }
    }

    /** What this process knows, and what it does with what is for nobody here. Must not block. */
    public interface Surroundings {

        /** The member of that instance. */
        @Nullable
        Member member(String instance);

        /** Whether there is a handler of that type. */
        boolean handles(String type);

        /** There is no handler for this, which is counted there. */
        void unhandled(Envelope envelope);

        /** A reply has come. */
        void reply(Envelope reply);

        /** Runs something after that many nanoseconds. */
        void later(long pause, Runnable task);
    }
}
