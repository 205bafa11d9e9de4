package dev.election.internal.messages;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A fair queue of messages: one queue for each sender, served in turn. One message of a sender is handled at a time, and a few of a type. A full
 * queue drops a message of the sender with most of them, so that a flood takes no room from others. Not thread-safe.
 */
final class FairQueue {

    /** Most messages that are queued. */
    static final int MOST_WAITING = 1_000;

    /** Most messages that are handled at a time. */
    static final int MOST_HANDLED = 16;

    /** Most messages of one type that are handled at a time: a handler that hangs leaves the other threads to the handlers of other types. */
    static final int MOST_OF_A_TYPE = 4;

    /** The queues by sender; first the sender whose turn was longest ago. */
    private final Map<String, Deque<Delivery>> senders = new LinkedHashMap<>();

    /** The senders of which a message is being handled, which is one of each. */
    private final Set<String> handled = new HashSet<>();

    /** Number of messages that are being handled, by type. */
    private final Map<String, Integer> handledOfType = new HashMap<>();

    private int waiting;

    /** Adds a message. Returns whether it or another one was dropped. */
    boolean add(Delivery delivery) {
        Deque<Delivery> queue = senders.computeIfAbsent(delivery.sender(), sender -> new ArrayDeque<>());
        boolean isFull = waiting >= MOST_WAITING;
        if (isFull) {
            Deque<Delivery> longest = queue;
            for (Deque<Delivery> other : senders.values()) {
                longest = other.size() > longest.size() ? other : longest;
            }
            if (longest.size() == queue.size()) {
                return true;
            }
            longest.removeLast();
            waiting--;
        }
        queue.add(delivery);
        waiting++;
        return isFull;
    }

    /** Takes the next message that can be handled now; {@code null} if there is none. */
    @Nullable
    Delivery next() {
        if (handled.size() >= MOST_HANDLED) {
            return null;
        }
        for (Iterator<Deque<Delivery>> all = senders.values().iterator(); all.hasNext(); ) {
            Deque<Delivery> queue = all.next();
            Delivery first = queue.peek();
            if (first == null) {
                all.remove();
            } else if (!handled.contains(first.sender())
                    && handledOfType.getOrDefault(first.type(), 0) < MOST_OF_A_TYPE) {
                all.remove();
                queue.remove();
                waiting--;
                senders.put(first.sender(), queue);
                handled.add(first.sender());
                handledOfType.merge(first.type(), 1, Integer::sum);
                return first;
            }
        }
        return null;
    }

    /** Records that the handler of a message that {@link #next} returned has ended. */
    void done(Delivery delivery) {
        handled.remove(delivery.sender());
        handledOfType.computeIfPresent(delivery.type(), (type, before) -> before == 1 ? null : before - 1);
    }

    /** Drops all queued messages. */
    void clear() {
        waiting = 0;
        senders.clear();
    }

    int waiting() {
        return waiting;
    }
}
