package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Resources of a process in the first and in the last tenth of its life.
 *
 * @param node which
 * @param samples of how many readings
 * @param threads the fewest before and after: those of a pool come and go with the work, and one that leaks never goes
 * @param files the fewest open descriptors before and after: connections, mostly
 * @param heap median before and after, in bytes
 */
public record Growth(String node, int samples, Change threads, Change files, Change heap) {

    /** Two readings a minute: shorter lives say nothing. */
    private static final int FEWEST = 60;

    static List<Growth> of(History history) {
        Map<String, List<Entry.Used>> byNode = history.all(Entry.Used.class).stream()
                .collect(Collectors.groupingBy(Entry.Used::node, TreeMap::new, Collectors.toList()));
        return byNode.entrySet().stream()
                .filter(life -> life.getValue().size() >= FEWEST)
                .map(life -> new Growth(
                        life.getKey(),
                        life.getValue().size(),
                        change(life.getValue(), part -> fewest(part, Entry.Used::threads)),
                        change(life.getValue(), part -> fewest(part, Entry.Used::files)),
                        change(life.getValue(), part -> median(part, Entry.Used::heapBytes))))
                .toList();
    }

    /** A thread pool may be between two sizes and a connection on its way; a heap has its caches. */
    List<Violation> violations() {
        List<Violation> violations = new ArrayList<>();
        if (threads.after > threads.before + 4) {
            violations.add(new Violation.Growing(node, "threads", threads.before, threads.after));
        }
        if (files.after > files.before + 4) {
            violations.add(new Violation.Growing(node, "files", files.before, files.after));
        }
        if (heap.after > heap.before * 5 / 4 + 2_000_000) {
            violations.add(new Violation.Growing(node, "heap", heap.before, heap.after));
        }
        return violations;
    }

    private static Change change(List<Entry.Used> life, ToLongFunction<List<Entry.Used>> what) {
        int tenth = life.size() / 10;
        return new Change(
                what.applyAsLong(life.subList(0, tenth)),
                what.applyAsLong(life.subList(life.size() - tenth, life.size())));
    }

    private static long fewest(List<Entry.Used> readings, ToLongFunction<Entry.Used> what) {
        return readings.stream().mapToLong(what).min().orElseThrow();
    }

    private static long median(List<Entry.Used> readings, ToLongFunction<Entry.Used> what) {
        return readings.stream()
                .mapToLong(what)
                .sorted()
                .skip(readings.size() / 2)
                .findFirst()
                .orElseThrow();
    }

    /** From the first tenth to the last. */
    public record Change(long before, long after) {}
}
