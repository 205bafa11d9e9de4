package dev.election.internal.log;

import dev.election.support.PartitionName;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Combines log lines that many elections of a process have at a time, such as when the store or the leader of all of them dies. The first election has
 * a line at once, and the others share one a second later. Partitions of a group share one that has all of them. At DEBUG, and where there are few
 * elections, each has its own. The lines of an election are in the order of its events.
 */
public final class TogetherLog {

    /** Most elections of which each always has its own line, which can be searched for. */
    private static final int FEW = 5;

    private final Logger log;
    private final IntSupplier elections;
    private final Map<String, Integer> partitions;
    private final Predicate<String> isLed;
    private final Executor later;

    /** The elections that had a line of a kind in the last second. Guarded by this. */
    private final Map<Key, Burst> bursts = new LinkedHashMap<>();

    /** Number of elections that have waited for a shared line, which orders them. Guarded by this. */
    private long waited;

    /** Guarded by this. */
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
    synchronized void log(Level level, Kind kind, String election, String detail, String text, Object... values) {
        String group = PartitionName.groupOf(election);
        boolean areMany = !isClosed && partitions.getOrDefault(group, elections.getAsInt()) > FEW;
        Key key = new Key(kind, areMany && partitions.containsKey(group) ? group : "");
        Burst burst = bursts.get(key);
        if (burst != null && burst.has(election)) {
            end(burst);
            burst = null;
        }
        if (burst == null && !key.group.isEmpty()) {
            burst = begin(level, key, "");
        }
        if (burst != null) {
            burst.waiting.put(election, new Waiting(detail, waited++));
            log.debug(text, values);
            return;
        }
        endAll(other -> other.waiting.containsKey(election));
        log.atLevel(level).log(text, values);
        if (areMany) {
            begin(level, key, election);
        }
    }

    private Burst begin(Level level, Key key, String first) {
        Burst begun = new Burst(level, key, first);
        bursts.put(key, begun);
        later.execute(() -> end(begun));
        return begun;
    }

    /** Logs the shared lines now, and each later line alone. */
    synchronized void close() {
        isClosed = true;
        endAll(burst -> true);
    }

    private synchronized void end(Burst burst) {
        bursts.remove(burst.key, burst);
        endAll(other -> other.isBefore(burst));
        burst.end();
    }

    private void endAll(Predicate<Burst> which) {
        List.copyOf(bursts.values()).stream().filter(which).forEach(this::end);
    }

    /**
     * An election that waits for a shared line.
     *
     * @param detail stands behind the election in that line
     * @param number later elections have higher ones
     */
    private record Waiting(String detail, long number) {}

    /** The elections that had an event of one kind in the last second. */
    private final class Burst {

        private final Level level;
        private final Key key;
        private final String first;
        private final Map<String, Waiting> waiting = new LinkedHashMap<>();

        Burst(Level level, Key key, String first) {
            this.level = level;
            this.key = key;
            this.first = first;
        }

        boolean has(String election) {
            return first.equals(election) || waiting.containsKey(election);
        }

        /** Whether an election waits in both bursts, and in this one for longer. */
        boolean isBefore(Burst other) {
            return waiting.entrySet().stream().anyMatch(here -> {
                Waiting there = other.waiting.get(here.getKey());
                return there != null && here.getValue().number < there.number;
            });
        }

        void end() {
            if (waiting.isEmpty()) {
                return;
            }
            Kind kind = key.kind;
            Integer count = partitions.get(key.group);
            if (count != null) {
                log.atLevel(level)
                        .log(
                                "{}{} partition{} of '{}'{}: {}. It leads {} of {} now",
                                kind.before,
                                waiting.size(),
                                waiting.size() == 1 ? "" : "s",
                                key.group,
                                kind.after,
                                numbers(waiting.keySet()),
                                IntStream.range(0, count)
                                        .filter(index -> isLed.test(PartitionName.of(key.group, index)))
                                        .count(),
                                count);
            } else {
                log.atLevel(level)
                        .log(
                                "{}{} more election{}{}: {}",
                                kind.before,
                                waiting.size(),
                                waiting.size() == 1 ? "" : "s",
                                kind.after,
                                Names.listed(waiting.keySet(), election -> Objects.requireNonNull(waiting.get(election))
                                        .detail));
            }
            waiting.clear();
        }

        private static String numbers(Collection<String> partitions) {
            return partitions.stream()
                    .map(PartitionName::indexOf)
                    .sorted()
                    .map(String::valueOf)
                    .collect(Collectors.joining(", "));
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
    public record Kind(String before, String after) {}
}
