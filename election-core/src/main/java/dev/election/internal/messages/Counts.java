package dev.election.internal.messages;

import dev.election.members.MessageCount;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counters of messages by outcome. Thread-safe. */
final class Counts {

    private final Map<MessageCount, LongAdder> counts = new ConcurrentHashMap<>();

    void add(MessageCount what) {
        counts.computeIfAbsent(what, first -> new LongAdder()).increment();
    }

    long of(MessageCount what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }
}
