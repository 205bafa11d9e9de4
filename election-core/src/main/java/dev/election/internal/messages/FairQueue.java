package dev.election.internal.messages;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
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
    private final Map<String, SenderQueue> senders = new LinkedHashMap<>();

    /** Number of messages that are being handled, by type. */
    private final Map<String, Integer> handled = new HashMap<>();

    private int waiting;

    /** Adds a message. Returns whether it or another one was dropped. */
    boolean add(Delivery delivery) {
        SenderQueue queue = senders.computeIfAbsent(delivery.sender(), sender -> new SenderQueue());
        boolean isFull = waiting >= MOST_WAITING;
        if (isFull) {
            SenderQueue longest = queue;
            for (SenderQueue other : senders.values()) {
                longest = other.waiting.size() > longest.waiting.size() ? other : longest;
            }
            if (longest == queue) {
                return true;
            }
            longest.waiting.removeLast();
            waiting--;
        }
        queue.waiting.add(delivery);
        waiting++;
        return isFull;
    }

    /** Takes the next message that can be handled now; {@code null} if there is none. */
    @Nullable
    Delivery next() {
        if (handled.values().stream().mapToInt(Integer::intValue).sum() >= MOST_HANDLED) {
            return null;
        }
        for (Iterator<Map.Entry<String, SenderQueue>> all = senders.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, SenderQueue> entry = all.next();
            SenderQueue queue = entry.getValue();
            Delivery first = queue.waiting.peek();
            if (!queue.isHandled && first != null && handled.getOrDefault(first.type(), 0) < MOST_OF_A_TYPE) {
                String sender = entry.getKey();
                all.remove();
                senders.put(sender, queue);
                return begin(queue);
            }
        }
        return null;
    }

    private Delivery begin(SenderQueue queue) {
        Delivery first = queue.waiting.remove();
        waiting--;
        queue.isHandled = true;
        handled.merge(first.type(), 1, Integer::sum);
        return first;
    }

    /** Records that the handler of a message that {@link #next} returned has ended. */
    void done(Delivery delivery) {
        handled.computeIfPresent(delivery.type(), (type, before) -> before == 1 ? null : before - 1);
        SenderQueue queue = senders.get(delivery.sender());
        if (queue != null) {
            queue.isHandled = false;
            if (queue.waiting.isEmpty()) {
                senders.remove(delivery.sender());
            }
        }
    }

    /** Drops all queued messages. */
    void clear() {
        waiting = 0;
        senders.values().forEach(queue -> queue.waiting.clear());
        senders.values().removeIf(queue -> !queue.isHandled);
    }

    int waiting() {
        return waiting;
    }

    private static final class SenderQueue {
        private final Deque<Delivery> waiting = new ArrayDeque<>();
        private boolean isHandled;
    }
}
