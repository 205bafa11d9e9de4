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

    private final Host host;
    private final Inbox inbox;
    private final Counts counts;
    private final LongSupplier nanos;
    private final long patience;

    /** Guarded by this. */
    private final UnknownSenderBuffer unknown = new UnknownSenderBuffer();

    /** Guarded by this. */
    private boolean isLookingLater;

    /**
     * Creates it.
     *
     * @param host what this process knows
     * @param inbox where messages wait
     * @param nanos the monotonic clock
     * @param patience how many nanoseconds a message waits for its sender to become known
     */
    public Reception(Host host, Inbox inbox, Counts counts, LongSupplier nanos, long patience) {
        this.host = host;
        this.inbox = inbox;
        this.counts = counts;
        this.nanos = nanos;
        this.patience = patience;
    }

    /** Takes a text. */
    public void receive(String text) {
        if (WireMessage.isTooLong(text)) {
            counts.add(MessageCount.OVERSIZED);
            return;
        }
        Optional<WireMessage> read = WireMessage.read(text);
        if (read.isEmpty()) {
            counts.add(MessageCount.MALFORMED);
        } else if (read.get().kind().isReply()) {
            host.reply(read.get());
        } else {
            take(read.get());
        }
    }

    /** Looks again at messages whose sender was unknown: the members have changed, or time has passed. */
    public synchronized void look() {
        if (unknown.isEmpty()) {
            return;
        }
        unknown.takeKnown(host::member).forEach(this::pass);
        for (int left = unknown.dropOverdue(nanos.getAsLong()); left > 0; left--) {
            counts.add(MessageCount.UNKNOWN_SENDER);
        }
    }

    /** Drops all that waits. */
    public synchronized void clear() {
        unknown.clear();
        inbox.clear();
    }

    private synchronized void take(WireMessage message) {
        Member from = host.member(message.from());
        if (from != null) {
            if (unknown.holds(message.from())) {
                // The earlier ones first.
                look();
            }
            pass(new Delivery(message, from));
        } else if (!unknown.hold(message, nanos.getAsLong() + patience)) {
            counts.add(MessageCount.UNKNOWN_SENDER);
        } else if (!isLookingLater) {
            isLookingLater = true;
            host.later(patience, this::lookLater);
        }
    }

    private synchronized void lookLater() {
        look();
        isLookingLater = !unknown.isEmpty();
        if (isLookingLater) {
            host.later(patience, this::lookLater);
        }
    }

    private void pass(Delivery delivery) {
        if (host.handles(delivery.type())) {
            inbox.add(delivery);
        } else {
            host.unhandled(delivery.message());
        }
    }

    /** What this process knows, and what it does with what is for nobody here. Must not block. */
    public interface Host {

        /** The member of that instance. */
        @Nullable
        Member member(String instance);

        /** Whether there is a handler of that type. */
        boolean handles(String type);

        /** There is no handler for this, which is counted there. */
        void unhandled(WireMessage message);

        /** A reply has come. */
        void reply(WireMessage reply);

        /** Runs something after that many nanoseconds. */
        void later(long pause, Runnable task);
    }
}
