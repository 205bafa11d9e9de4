package dev.election.internal.log;

import dev.election.support.PartitionName;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Combines log lines that many elections of a process have at a time, such as when the store or the leader of all of them dies. The first election has
 * a line at once, and the others share one at the end of the second, which begins with the first event of any kind. Partitions of a group share one
 * that has all of them. At DEBUG, and where there are few elections, each has its own. The lines of an election are in the order of its events.
 */
final class TogetherLog {

    /** Most elections of which each always has its own line, which can be searched for. */
    private static final int FEW = 5;

    private final Logger log;
    private final IntSupplier elections;
    private final Map<String, Integer> partitions;
    private final Predicate<String> isLed;
    private final Executor later;

    /** The elections that had an event of a kind in the present second. Guarded by this, as are those below. */
    private final Map<Key, Burst> bursts = new HashMap<>();

    /** The number of seconds that have ended. */
    private long seconds;

    /** The number of the latest shared line. */
    private long lines;

    private boolean isClosed;

    /**
     * @param elections the number of elections, without partitions
     * @param partitions the number of partitions of each group, by its name
     * @param isLed whether this process leads an election
     * @param later runs tasks after a second; none if there are few elections
     */
    TogetherLog(
            Logger log,
            IntSupplier elections,
            Map<String, Integer> partitions,
            Predicate<String> isLed,
            Executor later) {
        this.log = log;
        this.elections = elections;
        this.partitions = partitions;
        this.isLed = isLed;
        this.later = later;
    }

    /**
     * Logs a line about an election, or adds the election to those that share one.
     *
     * @param kind of the event; elections with events of the same kind share a line
     * @param detail stands behind the election in a shared line; may be empty
     * @param text the line of this election alone
     */
    synchronized void log(Kind kind, String election, String detail, String text, Object... values) {
        String group = PartitionName.groupOf(election);
        boolean areMany = !isClosed && partitions.getOrDefault(group, elections.getAsInt()) > FEW;
        boolean arePartitions = areMany && partitions.containsKey(group);
        Key key = new Key(kind, arePartitions ? group : "");
        Burst burst = bursts.get(key);
        long line = burst != null ? burst.line : arePartitions ? Long.MAX_VALUE : 0;
        if ((burst != null && burst.first.equals(election)) || waitsFor(election, line)) {
            end();
            burst = null;
        }
        if (burst == null && arePartitions) {
            burst = begin(key, "");
        }
        if (burst != null) {
            if (burst.waiting.isEmpty()) {
                burst.line = ++lines;
            }
            burst.waiting.put(election, detail);
            log.debug(text, values);
            return;
        }
        log.atLevel(kind.level).log(text, values);
        if (areMany) {
            begin(key, election);
        }
    }

    /** Whether an election waits for a shared line that comes with the one of that number or after it. */
    private boolean waitsFor(String election, long line) {
        return bursts.values().stream().anyMatch(burst -> burst.line >= line && burst.waiting.containsKey(election));
    }

    private Burst begin(Key key, String first) {
        if (bursts.isEmpty()) {
            long second = seconds;
            later.execute(() -> end(second));
        }
        Burst begun = new Burst(key, first);
        bursts.put(key, begun);
        return begun;
    }

    /** Logs the shared lines now, and each later line alone. */
    synchronized void close() {
        isClosed = true;
        end();
    }

    /** Ends that second, if nothing has ended it before. */
    private synchronized void end(long second) {
        if (second == seconds) {
            end();
        }
    }

    private synchronized void end() {
        seconds++;
        bursts.values().stream()
                .filter(burst -> !burst.waiting.isEmpty())
                .sorted(Comparator.comparingLong(burst -> burst.line))
                .forEach(this::log);
        bursts.clear();
    }

    private void log(Burst burst) {
        Kind kind = burst.key.kind;
        Map<String, String> waiting = burst.waiting;
        Integer count = partitions.get(burst.key.group);
        if (count != null) {
            log.atLevel(kind.level)
                    .log(
                            "{}{} partition{} of '{}'{}: {}. It leads {} of {} now",
                            kind.before,
                            waiting.size(),
                            waiting.size() == 1 ? "" : "s",
                            burst.key.group,
                            kind.after,
                            numbers(waiting.keySet()),
                            IntStream.range(0, count)
                                    .filter(index -> isLed.test(PartitionName.of(burst.key.group, index)))
                                    .count(),
                            count);
        } else {
            log.atLevel(kind.level)
                    .log(
                            "{}{} more election{}{}: {}",
                            kind.before,
                            waiting.size(),
                            waiting.size() == 1 ? "" : "s",
                            kind.after,
                            Names.listed(waiting.keySet(), election -> waiting.getOrDefault(election, "")));
        }
    }

    private static String numbers(Collection<String> partitions) {
        return partitions.stream()
                .map(PartitionName::indexOf)
                .sorted()
                .map(String::valueOf)
                .collect(Collectors.joining(", "));
    }

    /** The elections that had an event of one kind in the present second. */
    private static final class Burst {

        private final Key key;

        /** The election with a line of its own; empty if all share one. */
        private final String first;

        /** The elections that share a line, and what stands behind each in it. */
        private final Map<String, String> waiting = new HashMap<>();

        /** The number of that line, in the order in which lines are logged; none as long as no election waits for it. */
        private long line = Long.MAX_VALUE;

        private Burst(Key key, String first) {
            this.key = key;
            this.first = first;
        }
    }

    /**
     * The elections that share a line.
     *
     * @param group the group of which they are partitions; empty if they are none
     */
    private record Key(Kind kind, String group) {}

    /**
     * The kind of an event, which has the texts of a shared line.
     *
     * @param before stands before the number of elections
     * @param after stands behind that number
     */
    record Kind(Level level, String before, String after) {}
}
