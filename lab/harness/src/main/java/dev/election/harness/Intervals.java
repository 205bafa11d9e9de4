package dev.election.harness;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Times of the monotonic clock that do not overlap, such as those in which a machine stood still. */
public final class Intervals {

    /** From the begin of each to its end. */
    private final NavigableMap<Long, Long> ends = new TreeMap<>();

    /** Adds one, which begins no earlier than those before. */
    public void add(long from, long until) {
        Map.Entry<Long, Long> last = ends.lastEntry();
        if (last != null && last.getValue() >= from) {
            ends.put(last.getKey(), Math.max(last.getValue(), until));
        } else {
            ends.put(from, until);
        }
    }

    /** How much of that time they cover. */
    public long within(long from, long until) {
        return ends.headMap(until).entrySet().stream()
                .mapToLong(each -> Math.max(0, Math.min(each.getValue(), until) - Math.max(each.getKey(), from)))
                .sum();
    }

    /** How long all of them are together. */
    public long total() {
        return ends.entrySet().stream()
                .mapToLong(each -> each.getValue() - each.getKey())
                .sum();
    }

    /** From when until when, those that last at least so long. */
    public Map<Long, Long> longerThan(long nanos) {
        return ends.entrySet().stream()
                .filter(each -> each.getValue() - each.getKey() >= nanos)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
