package dev.election.record;

import dev.election.StoreProblem;
import dev.election.record.Continuity.Line;
import dev.election.record.Continuity.OfConnection;
import dev.election.record.Continuity.OfIncarnation;
import dev.election.store.Incarnation;
import dev.election.store.NoAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What this process has seen of a store: for how long it has been the same, and how far its lines have come. Any number of threads may ask. */
final class ObservedStore {

    /** Of more incarnations and connections than that, those that have not answered for the longest are taken for new ones again. */
    private static final int REMEMBERED = 256;

    private final LongSupplier nanos;

    /** The incarnation that answered last. Guarded by this. */
    private @Nullable Sight incarnation;

    /** When each incarnation and connection answered first, by its id. Guarded by this. */
    private final Map<String, Long> firstAnswers = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    /** The highest position seen of each line. Each map is never changed. */
    private volatile Map<String, Long> highest = Map.of();

    /**
     * Nothing was seen yet.
     *
     * @param nanos counts nanoseconds and never goes back
     */
    ObservedStore(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** The monotonic clock of this process. */
    long nanos() {
        return nanos.getAsLong();
    }

    private record Sight(String id, long since, boolean hasReturned) {}

    /**
     * What was known when a request was sent, which is what its answer is compared with: answers come late, and over several connections.
     *
     * @param at the monotonic clock
     * @param highest the highest position seen of each line
     */
    record Sending(long at, Map<String, Long> highest) {}

    /**
     * What an answer has shown of its store.
     *
     * @param incarnation the store, as this process has seen it
     * @param line where the server stands, {@code null} if it does not say
     * @param superseded the answer to whoever has asked a server that was replaced, {@code null} for any other
     * @param sentAt the monotonic clock when the request was sent
     */
    record Sighting(
            Incarnation incarnation,
            @Nullable Line line,
            @Nullable NoAnswer superseded,
            long sentAt) {}

    /** To be called before a request is sent. */
    Sending sending() {
        return new Sending(nanos.getAsLong(), highest);
    }

    /** The store has answered a request, and shows that by which it is known. */
    synchronized Sighting see(Continuity shown, Sending sent) {
        long now = nanos.getAsLong();
        if (shown instanceof OfIncarnation present) {
            Line line = present.line();
            NoAnswer superseded = line == null ? null : place(line, sent);
            // An answer that comes late, or from a server that was replaced, does not end the sight of the present one.
            boolean isPast = superseded != null || (incarnation != null && sent.at - incarnation.since < 0);
            Sight sight = see(present.id(), now, isPast);
            Duration unchangedFor = longer(Duration.ofNanos(now - sight.since), present.provenAge());
            return new Sighting(
                    new Incarnation(present.id(), unchangedFor, sight.hasReturned), line, superseded, sent.at);
        }
        return new Sighting(
                shown instanceof OfConnection connection
                        ? new Incarnation(null, Duration.ofNanos(now - firstAnswer(connection.id(), now)))
                        : Incarnation.UNKNOWN,
                null,
                null,
                sent.at);
    }

    /** One that comes back after another, as after a failover that was taken back, may lack what the other has acknowledged. */
    private Sight see(String id, long now, boolean isPast) {
        if (incarnation != null && incarnation.id.equals(id)) {
            return incarnation;
        }
        Sight sight = new Sight(id, now, firstAnswers.containsKey(id));
        if (!isPast) {
            firstAnswers.putIfAbsent(id, now);
            incarnation = sight;
        }
        return sight;
    }

    private @Nullable NoAnswer place(Line line, Sending sent) {
        reach(line);
        long floor = sent.highest.getOrDefault(line.name(), line.position());
        return line.position() >= floor
                ? null
                : new NoAnswer(
                        StoreProblem.SUPERSEDED,
                        line.name() + " is " + line.position() + " at the server that answers, but " + floor
                                + " was seen");
    }

    /** A server of the line stands there. */
    synchronized void reach(Line line) {
        if (highest.getOrDefault(line.name(), Long.MIN_VALUE) < line.position()) {
            Map<String, Long> raised = new HashMap<>(highest);
            raised.put(line.name(), line.position());
            highest = Map.copyOf(raised);
        }
    }

    /** Whether a higher position was seen since that answer. */
    boolean isBehind(Sighting seen) {
        Line line = seen.line;
        return line != null && line.position() < highest.getOrDefault(line.name(), line.position());
    }

    /**
     * Whether what has carried out a change is certainly the store that answered a read, with all that it had then: otherwise a standby
     * that lags may have taken its place, and a change that rests on that read does not count.
     *
     * @param shown what the answer to the read has shown
     * @param read when the read was sent
     * @param changed what the answer to the change has shown
     */
    synchronized boolean continues(Continuity shown, Sending read, Continuity changed) {
        if (shown instanceof OfIncarnation before && changed instanceof OfIncarnation after) {
            return before.id().equals(after.id());
        }
        if (shown instanceof OfConnection before && changed instanceof OfConnection after) {
            // Also another one that has answered before that.
            return before.equals(after) || firstAnswer(after.id(), nanos.getAsLong()) - read.at < 0;
        }
        return shown.equals(changed);
    }

    private long firstAnswer(String id, long now) {
        return firstAnswers.computeIfAbsent(id, first -> now);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
