package dev.election.internal.engine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Lines that many elections of a process can have at a time, such as when the store or a leader of all of them dies: the first election
 * has a line at once, and the others share one, a second later. Each has its own at DEBUG, and where there are few.
 */
final class TogetherLog {

    /** Where there are no more elections than these, each has a line of its own, which can be searched for. */
    private static final int FEW = 5;

    private final Logger log;
    private final IntSupplier elections;
    private final Executor later;

    /** The elections that had a line of a kind in the last second, by kind. Guarded by this. */
    private final Map<Kind, Burst> bursts = new LinkedHashMap<>();

    /**
     * @param log where the lines go
     * @param elections how many elections there are
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
     * @param kind begins the line of the others; two elections of the same kind share a line
     * @param detail said of the election in the line of the others; may be empty
     * @param text the line of this election alone
     */
    synchronized void log(Level level, Kind kind, String election, String detail, String text, Object... values) {
        Burst burst = bursts.get(kind);
        if (burst != null && burst.has(election)) {
            burst.end();
            burst = null;
        }
        if (burst != null) {
            burst.waiting.put(election, detail);
            log.debug(text, values);
            return;
        }
        log.atLevel(level).log(text, values);
        if (elections.getAsInt() > FEW) {
            Burst begun = new Burst(level, kind, election);
            bursts.put(kind, begun);
            later.execute(() -> end(begun));
        }
    }

    /** Logs what waits. */
    synchronized void flush() {
        List.copyOf(bursts.values()).forEach(Burst::end);
    }

    private synchronized void end(Burst burst) {
        burst.end();
    }

    /** The elections that have a line of one kind at a time. */
    private final class Burst {

        private final Level level;
        private final Kind kind;
        private final String first;
        private final Map<String, String> waiting = new LinkedHashMap<>();

        Burst(Level level, Kind kind, String first) {
            this.level = level;
            this.kind = kind;
            this.first = first;
        }

        boolean has(String election) {
            return first.equals(election) || waiting.containsKey(election);
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
                                Names.listed(waiting.keySet(), election -> waiting.getOrDefault(election, "")));
                waiting.clear();
            }
            bursts.remove(kind, this);
        }
    }

    /**
     * What elections have in common that share a line.
     *
     * @param before stands before how many they are
     * @param after stands behind that
     */
    record Kind(String before, String after) {}
}
