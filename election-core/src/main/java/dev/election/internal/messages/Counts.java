package dev.election.internal.messages;

import dev.election.members.MessageCount;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of messages by outcome. Thread-safe. */
public final class Counts {

    private final Map<MessageCount, LongAdder> counts = new ConcurrentHashMap<>();

    public void add(MessageCount what) {
        counts.computeIfAbsent(what, first -> new LongAdder()).increment();
    }

    public long of(MessageCount what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }
}
