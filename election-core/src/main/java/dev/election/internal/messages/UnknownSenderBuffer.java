package dev.election.internal.messages;

import dev.election.members.Member;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A buffer of messages whose sender is not known as a member yet: a message of a new member can overtake the news of it. Not thread-safe.
 */
final class UnknownSenderBuffer {

    private static final int MOST = 100;

    /** The messages in the order of their arrival. */
    private final List<Held> held = new ArrayList<>();

    /** Keeps a message until that time. Returns false if there is no room. */
    boolean hold(WireMessage message, long until) {
        return held.size() < MOST && held.add(new Held(message, until));
    }

    /** Removes and returns the messages whose sender is known now. */
    List<Delivery> takeKnown(Function<String, @Nullable Member> members) {
        List<Delivery> known = new ArrayList<>();
        for (Iterator<Held> all = held.iterator(); all.hasNext(); ) {
            WireMessage message = all.next().message;
            Member from = members.apply(message.from());
            if (from != null) {
                all.remove();
                known.add(new Delivery(message, from));
            }
        }
        return known;
    }

    /** Drops the messages whose time is over. Returns how many. */
    int dropOverdue(long now) {
        int before = held.size();
        held.removeIf(each -> each.until - now <= 0);
        return before - held.size();
    }

    /** Whether the buffer has a message of that sender. */
    boolean holds(String sender) {
        return held.stream().anyMatch(each -> each.message.from().equals(sender));
    }

    void clear() {
        held.clear();
    }

    boolean isEmpty() {
        return held.isEmpty();
    }

    private record Held(WireMessage message, long until) {}
}
