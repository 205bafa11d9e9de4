package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** When the machine itself stood still: a process did not run though it wanted to, and no fault had stopped it. */
final class Stalls {

    private final Map<Integer, Long> healed;
    private final Map<String, List<Entry.Injected>> faultsByNode;

    /** From the begin of each to its end; they do not overlap. */
    private final NavigableMap<Long, Long> stalls = new TreeMap<>();

    Stalls(History history) {
        healed = history.all(Entry.Healed.class).stream()
                .collect(Collectors.toMap(Entry.Healed::number, Entry.Healed::at));
        faultsByNode = history.all(Entry.Injected.class).stream()
                .flatMap(fault -> fault.nodes().stream().map(node -> Map.entry(node, fault)))
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        history.all(Entry.Stalled.class).stream()
                .filter(stall -> !isMeant(stall))
                .sorted(Comparator.comparingLong(Entry.Stalled::from))
                .forEach(this::add);
    }

    /** For how much of that time. */
    long during(Gap gap) {
        long stalled = 0;
        for (Map.Entry<Long, Long> stall : stalls.headMap(gap.until()).entrySet()) {
            stalled += Math.max(0, Math.min(stall.getValue(), gap.until()) - Math.max(stall.getKey(), gap.from()));
        }
        return stalled;
    }

    /** All in all. */
    long total() {
        return stalls.entrySet().stream()
                .mapToLong(stall -> stall.getValue() - stall.getKey())
                .sum();
    }

    /** From when until when, those that last at least so long. */
    Map<Long, Long> longerThan(long nanos) {
        return stalls.entrySet().stream()
                .filter(stall -> stall.getValue() - stall.getKey() >= nanos)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private boolean isMeant(Entry.Stalled stall) {
        return faultsByNode.getOrDefault(stall.node(), List.of()).stream()
                .anyMatch(fault -> stall.from() <= healed.getOrDefault(fault.number(), Long.MAX_VALUE)
                        && stall.until() >= fault.from());
    }

    private void add(Entry.Stalled stall) {
        Map.Entry<Long, Long> last = stalls.lastEntry();
        if (last != null && last.getValue() >= stall.from()) {
            stalls.put(last.getKey(), Math.max(last.getValue(), stall.until()));
        } else {
            stalls.put(stall.from(), stall.until());
        }
    }
}
