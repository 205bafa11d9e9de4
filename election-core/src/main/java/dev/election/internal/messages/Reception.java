package dev.election.internal.messages;

import dev.election.members.Member;
import dev.election.members.MessageCount;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the texts that arrive on the channels, to which anybody may publish. Passes on messages that have a known sender and a handler, and counts
 * those that it drops. Thread-safe, and never takes long.
 */
public final class Reception {

    private final Host host;
    private final Inbox inbox;
    private final Counts counts;
    private final LongSupplier nanos;
    private final long patience;

    /** Guarded by this. */
    private final UnknownSenderBuffer unknown = new UnknownSenderBuffer();

    /** Whether {@link #lookLater} is due. Guarded by this. */
    private boolean isLookingLater;

    /**
     * Creates a reception without messages.
     *
     * @param inbox takes the messages for handlers
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

    /** Takes a text that has arrived. */
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

    /** Passes on the messages whose sender has become known, and drops those that have waited too long. */
    public synchronized void look() {
        if (unknown.isEmpty()) {
            return;
        }
        unknown.takeKnown(host::member).forEach(this::pass);
        for (int left = unknown.dropOverdue(nanos.getAsLong()); left > 0; left--) {
            counts.add(MessageCount.UNKNOWN_SENDER);
        }
    }

    /** Drops all messages that wait for their sender or handler. */
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

    /** Services that a reception needs from its process. Must not block. */
    public interface Host {

        /** Returns the member of that instance. */
        @Nullable
        Member member(String instance);

        /** Whether there is a handler of that type. */
        boolean handles(String type);

        /** Takes a message without a handler, and counts it. */
        void unhandled(WireMessage message);

        /** Takes a reply. */
        void reply(WireMessage reply);

        /** Runs a task after that many nanoseconds. */
        void later(long pause, Runnable task);
    }
}
