package dev.election.internal.log;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Combines log lines that many elections of a process have at a time, such as when the store or the leader of all of them dies. The first election has
 * a line at once, and the others share one a second later. At DEBUG, and where there are few elections, each has its own. The lines of an election
 * are in the order of its events.
 */
public final class TogetherLog {

    /** Most elections of which each always has its own line, which can be searched for. */
    private static final int FEW = 5;

    private final Logger log;
    private final IntSupplier elections;
    private final Executor later;

    /** The elections that had a line of a kind in the last second, by kind. Guarded by this. */
    private final Map<Kind, Burst> bursts = new LinkedHashMap<>();

    /** Number of elections that have waited for a shared line, which orders them. Guarded by this. */
    private long waited;

    /**
     * @param elections the number of elections
     * @param later runs tasks after a second; none if there are few elections
     */
    TogetherLog(Logger log, IntSupplier elections, Executor later) {
        this.log = log;
        this.elections = elections;
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
        Burst burst = bursts.get(kind);
        if (burst != null && burst.has(election)) {
            end(burst);
            burst = null;
        }
        if (burst != null) {
            burst.waiting.put(election, new Waiting(detail, waited++));
            log.debug(text, values);
            return;
        }
        endAll(other -> other.waiting.containsKey(election));
        log.atLevel(level).log(text, values);
        if (elections.getAsInt() > FEW) {
            Burst begun = new Burst(level, kind, election);
            bursts.put(kind, begun);
            later.execute(() -> end(begun));
        }
    }

    /** Logs the shared lines now. */
    synchronized void flush() {
        endAll(burst -> true);
    }

    private synchronized void end(Burst burst) {
        bursts.remove(burst.kind, burst);
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
        private final Kind kind;
        private final String first;
        private final Map<String, Waiting> waiting = new LinkedHashMap<>();

        Burst(Level level, Kind kind, String first) {
            this.level = level;
            this.kind = kind;
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
            if (!waiting.isEmpty()) {
                log.atLevel(level)
                        .log(
                                "{}{} more election{}{}: {}",
                                kind.before,
                                waiting.size(),
                                waiting.size() == 1 ? "" : "s",
                                kind.after,
                                Names.listed(waiting.keySet(), election -> Objects.requireNonNull(waiting.get(election))
                                        .detail));
                waiting.clear();
            }
        }
    }

    /**
     * The kind of an event, which has the texts of a shared line.
     *
     * @param before stands before the number of elections
     * @param after stands behind that number
     */
    public record Kind(String before, String after) {}
}
