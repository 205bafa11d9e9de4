package dev.election.internal.messages;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages that wait for their handlers, in a lane for each sender. One message of a sender is handled at a time, and a few of a type. Where there is
 * no room, the sender with the most waiting messages loses one: so one that sends too many takes no room from the others. Not for several threads.
 */
final class Lanes {

    /** How many messages wait at most. */
    static final int MOST_WAITING = 1_000;

    /** How many are handled at a time. */
    static final int MOST_HANDLED = 16;

    /** How many of one type: a handler that hangs leaves the other threads to the handlers of other types. */
    static final int MOST_OF_A_TYPE = 4;

    /** By sender, the one whose turn was longest ago first. */
    private final Map<String, Lane> lanes = new LinkedHashMap<>();

    /** How many messages of a type are being handled. */
    private final Map<String, Integer> handled = new HashMap<>();

    private int allHandled;
    private int waiting;

    /** Adds a message, and tells whether that or another one had to be dropped. */
    boolean add(Delivery delivery) {
        Lane lane = lanes.computeIfAbsent(delivery.sender(), sender -> new Lane());
        boolean isFull = waiting >= MOST_WAITING;
        if (isFull) {
            Lane longest = longest();
            if (lane.waiting.size() >= longest.waiting.size()) {
                return true;
            }
            longest.waiting.removeLast();
            waiting--;
        }
        lane.waiting.add(delivery);
        waiting++;
        return isFull;
    }

    /** Takes the next message that can be handled now; {@code null} if there is none. */
    @Nullable
    Delivery next() {
        if (allHandled >= MOST_HANDLED) {
            return null;
        }
        for (Iterator<Map.Entry<String, Lane>> all = lanes.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<String, Lane> entry = all.next();
            Lane lane = entry.getValue();
            Delivery first = lane.waiting.peek();
            if (!lane.isHandled && first != null && handled.getOrDefault(first.type(), 0) < MOST_OF_A_TYPE) {
                String sender = entry.getKey();
                all.remove();
                lanes.put(sender, lane);
                return begin(lane);
            }
        }
        return null;
    }

    private Delivery begin(Lane lane) {
        Delivery first = lane.waiting.remove();
        waiting--;
        lane.isHandled = true;
        allHandled++;
        handled.merge(first.type(), 1, Integer::sum);
        return first;
    }

    /** A message that was taken is not being handled any more. */
    void done(Delivery delivery) {
        allHandled--;
        handled.computeIfPresent(delivery.type(), (type, before) -> before == 1 ? null : before - 1);
        Lane lane = lanes.get(delivery.sender());
        if (lane != null) {
            lane.isHandled = false;
            if (lane.waiting.isEmpty()) {
                lanes.remove(delivery.sender());
            }
        }
    }

    /** Forgets all that wait. */
    void clear() {
        waiting = 0;
        lanes.values().forEach(lane -> lane.waiting.clear());
        lanes.values().removeIf(lane -> !lane.isHandled);
    }

    int waiting() {
        return waiting;
    }

    private Lane longest() {
        Lane longest = new Lane();
        for (Lane lane : lanes.values()) {
            if (lane.waiting.size() > longest.waiting.size()) {
                longest = lane;
            }
        }
        return longest;
    }

    private static final class Lane {
        private final Deque<Delivery> waiting = new ArrayDeque<>();
        private boolean isHandled;
    }
}
