package dev.election.internal.messages;

import dev.election.members.Member;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Messages of senders that this process does not know yet: one that has just joined may be heard before the news of it. Not for several threads.
 */
final class UnknownSenderBuffer {

    private static final int MOST = 100;

    /** In the order in which they came. */
    private final List<Held> held = new ArrayList<>();

    /** Keeps a message for a while. Returns false if there is no room. */
    boolean hold(WireMessage message, long until) {
        return held.size() < MOST && held.add(new Held(message, until));
    }

    /** Takes those whose sender is known now. */
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

    /** Drops those that have waited long enough. Returns how many. */
    int dropOverdue(long now) {
        int before = held.size();
        held.removeIf(each -> each.until - now <= 0);
        return before - held.size();
    }

    /** Whether a message of that sender waits. */
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
