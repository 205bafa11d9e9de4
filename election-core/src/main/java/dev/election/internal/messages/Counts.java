package dev.election.internal.messages;

import dev.election.members.MessageCount;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** How many messages what happened to. On any thread. */
public final class Counts {

    private final Map<MessageCount, LongAdder> counts = new ConcurrentHashMap<>();

    /** Counts one. */
    public void add(MessageCount what) {
        counts.computeIfAbsent(what, first -> new LongAdder()).increment();
    }

    /** How many there are. */
    public long of(MessageCount what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }
}
