package dev.election.internal.messages;

import dev.election.members.Member;
import dev.election.members.MessageCount;
import dev.election.members.NodeMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the texts that arrive on the channels, to which anybody may publish. Passes on messages that have a known sender and a handler, and counts
 * those that it drops. Thread-safe, and never takes long.
 */
final class Reception {

    /** Most messages that wait for their sender. */
    private static final int MOST_UNKNOWN = 100;

    private final Host host;
    private final Inbox inbox;
    private final Counts counts;
    private final LongSupplier nanos;
    private final long patience;

    /**
     * Messages whose sender is not known as a member yet, in the order of their arrival: a message of a new member can overtake the news of it.
     * Guarded by this.
     */
    private final List<Held> unknown = new ArrayList<>();

    /**
     * Creates a reception without messages.
     *
     * @param inbox takes the messages for handlers
     * @param nanos the monotonic clock
     * @param patience how many nanoseconds a message waits for its sender to become known
     */
    Reception(Host host, Inbox inbox, Counts counts, LongSupplier nanos, long patience) {
        this.host = host;
        this.inbox = inbox;
        this.counts = counts;
        this.nanos = nanos;
        this.patience = patience;
    }

    /** Takes a text that has arrived. */
    void receive(String text) {
        if (text.length() > NodeMessages.MOST_BYTES) {
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
    synchronized void look() {
        List<Delivery> known = new ArrayList<>();
        unknown.removeIf(held -> {
            Member from = host.member(held.message.from());
            return from != null && known.add(new Delivery(held.message, from));
        });
        known.forEach(this::pass);
        dropOverdue();
    }

    /** Looks up no member: whoever may publish can let this be called often. */
    private synchronized void dropOverdue() {
        while (!unknown.isEmpty() && unknown.get(0).until - nanos.getAsLong() <= 0) {
            unknown.remove(0);
            counts.add(MessageCount.UNKNOWN_SENDER);
        }
    }

    /** Drops all messages that wait for their sender or handler. */
    synchronized void clear() {
        unknown.clear();
        inbox.clear();
    }

    private synchronized void take(WireMessage message) {
        Member from = host.member(message.from());
        if (from != null) {
            // The earlier ones first.
            look();
            pass(new Delivery(message, from));
        } else if (unknown.size() >= MOST_UNKNOWN) {
            counts.add(MessageCount.UNKNOWN_SENDER);
        } else {
            unknown.add(new Held(message, nanos.getAsLong() + patience));
            host.later(patience, this::dropOverdue);
        }
    }

    private void pass(Delivery delivery) {
        if (host.handles(delivery.type())) {
            inbox.add(delivery);
        } else {
            host.unhandled(delivery.message());
        }
    }

    private record Held(WireMessage message, long until) {}

    /** Services that a reception needs from its process. Must not block. */
    interface Host {

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
