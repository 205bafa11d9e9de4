package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import dev.election.harness.Intervals;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** When the machine itself stood still: a process did not run though it wanted to, and no fault had stopped it. */
final class Stalls {

    private final Map<Integer, Long> healed;
    private final Map<String, List<Entry.Injected>> faultsByNode;

    private final Intervals stalls = new Intervals();

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
                .forEach(stall -> stalls.add(stall.from(), stall.until()));
    }

    /** For how much of that time. */
    long during(Gap gap) {
        return between(gap.from(), gap.until());
    }

    /** For how much of the time between these. */
    long between(long from, long until) {
        return stalls.within(from, until);
    }

    /** All in all. */
    long total() {
        return stalls.total();
    }

    /** From when until when, those that last at least so long. */
    Map<Long, Long> longerThan(long nanos) {
        return stalls.longerThan(nanos);
    }

    private boolean isMeant(Entry.Stalled stall) {
        return faultsByNode.getOrDefault(stall.node(), List.of()).stream()
                .anyMatch(fault -> stall.from() <= healed.getOrDefault(fault.number(), Long.MAX_VALUE)
                        && stall.until() >= fault.from());
    }
}
