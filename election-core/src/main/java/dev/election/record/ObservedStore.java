package dev.election.record;

import dev.election.StoreProblem;
import dev.election.record.Continuity.Line;
import dev.election.record.Continuity.Log;
import dev.election.record.Continuity.OfConnection;
import dev.election.record.Continuity.OfIncarnation;
import dev.election.record.RecordStore.Origin;
import dev.election.store.Incarnation;
import dev.election.store.NoAnswer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The observations of a store by this process: for how long it has been the same, and how far its lines have come. Thread-safe. */
final class ObservedStore {

    /** The highest number of ids that are remembered. Beyond it, those that have not answered for the longest count as new again. */
    private static final int REMEMBERED = 256;

    private final LongSupplier nanos;

    /** The incarnation that answered last. Guarded by this. */
    private @Nullable Sight incarnation;

    /** The log of that incarnation at the highest position seen, {@code null} if it has none. Guarded by this. */
    private @Nullable Log log;

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
     * Creates the observations of a store that has not answered yet.
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

    private record Sight(String id, long since, boolean hasReturned, Set<String> former) {}

    /**
     * The observations when a request was sent. Its answer is compared with them, since answers come late, and over several connections.
     *
     * @param at when it was sent, on the monotonic clock
     * @param highest the highest position seen of each line
     */
    record Sending(long at, Map<String, Long> highest) {}

    /**
     * The findings about a store from one answer.
     *
     * @param incarnation the store, as this process has seen it
     * @param former the ids of earlier incarnations of which this one certainly has all that they acknowledged
     * @param line where the server stands, {@code null} if it does not say
     * @param replaced the answer to whoever has asked a server that was replaced, {@code null} for any other
     * @param sentAt the monotonic clock when the request was sent
     */
    record Observation(
            Incarnation incarnation,
            Set<String> former,
            @Nullable Line line,
            @Nullable NoAnswer replaced,
            long sentAt) {}

    /** Returns the present observations. To be called before a request is sent. */
    Sending sending() {
        return new Sending(nanos.getAsLong(), highest);
    }

    /** Notes the answer to a request, with the proof that it contains. */
    synchronized Observation see(Continuity shown, Sending sent) {
        long now = nanos.getAsLong();
        if (shown instanceof OfIncarnation present) {
            Line line = present.line();
            NoAnswer replaced = line == null ? null : place(line, sent);
            // An answer that comes late, or from a server that was replaced, does not end the sight of the present one.
            boolean isPast = replaced != null || (incarnation != null && sent.at - incarnation.since < 0);
            Sight sight = see(present, now, isPast);
            Duration unchangedFor = longer(Duration.ofNanos(now - sight.since), present.provenAge());
            return new Observation(
                    new Incarnation(present.id(), unchangedFor, sight.hasReturned),
                    sight.former,
                    line,
                    replaced,
                    sent.at);
        }
        return new Observation(
                shown instanceof OfConnection connection
                        ? new Incarnation(null, Duration.ofNanos(now - firstAnswer(connection.id(), now)))
                        : Incarnation.UNKNOWN,
                Set.of(),
                null,
                null,
                sent.at);
    }

    /**
     * Notes an answer, and goes on with what it has shown. If its server was replaced, nothing counts that it answers, and the store is notified.
     * Fails with a {@link NoAnswerException} then.
     */
    <R> CompletionStage<R> unlessReplaced(
            RecordStore store, Origin origin, Sending sent, Function<Observation, CompletionStage<R>> next) {
        Observation seen = see(origin.continuity(), sent);
        if (seen.replaced == null) {
            return next.apply(seen);
        }
        store.replaced(origin.continuity());
        return CompletableFuture.failedFuture(new NoAnswerException(seen.replaced));
    }

    /**
     * Notes an incarnation. If it comes back after another, as after a failover that was taken back, it may lack what the other has acknowledged.
     * If it goes on with the log of the one before, it has all that the other has acknowledged.
     */
    private Sight see(OfIncarnation present, long now, boolean isPast) {
        String id = present.id();
        if (incarnation != null && incarnation.id.equals(id)) {
            log = goesOn(present.log()) || present.log() == null ? present.log() : log;
            return incarnation;
        }
        if (isPast) {
            return new Sight(id, now, firstAnswers.containsKey(id), Set.of());
        }
        Set<String> former = new HashSet<>();
        if (incarnation != null && !incarnation.hasReturned && goesOn(present.log())) {
            former.addAll(incarnation.former);
            former.add(incarnation.id);
        }
        incarnation = new Sight(id, now, firstAnswers.containsKey(id), Set.copyOf(former));
        firstAnswers.putIfAbsent(id, now);
        log = present.log();
        return incarnation;
    }

    /** Whether that is the log that was seen last, and as long as then or longer. */
    private boolean goesOn(@Nullable Log shown) {
        return log != null && shown != null && shown.name().equals(log.name()) && shown.position() >= log.position();
    }

    private @Nullable NoAnswer place(Line line, Sending sent) {
        reach(line);
        long floor = sent.highest.getOrDefault(line.name(), line.position());
        return line.position() >= floor
                ? null
                : new NoAnswer(
                        StoreProblem.REPLACED,
                        line.name() + " is " + line.position() + " at the server that answers, but " + floor
                                + " was seen");
    }

    /** Notes the position of a server. */
    synchronized void reach(Line line) {
        if (highest.getOrDefault(line.name(), Long.MIN_VALUE) < line.position()) {
            Map<String, Long> raised = new HashMap<>(highest);
            raised.put(line.name(), line.position());
            highest = Map.copyOf(raised);
        }
    }

    /** Whether a higher position was seen since that answer. */
    boolean isBehind(Observation seen) {
        Line line = seen.line;
        return line != null && line.position() < highest.getOrDefault(line.name(), line.position());
    }

    /**
     * Whether the store that has carried out a change is certainly the one that answered a read, with all that it had then: otherwise a standby
     * that lags may have taken its place, and a change that rests on that read does not count.
     *
     * @param shown the proof in the answer to the read
     * @param read when the read was sent, {@code null} if that is unknown
     * @param changed the proof in the answer to the change
     */
    synchronized boolean continues(Continuity shown, @Nullable Sending read, Continuity changed) {
        // Another connection counts too if it had answered before the read was sent.
        return shown.isSameAs(changed)
                || (shown instanceof OfConnection
                        && changed instanceof OfConnection after
                        && read != null
                        && firstAnswer(after.id(), nanos.getAsLong()) - read.at < 0);
    }

    private long firstAnswer(String id, long now) {
        return firstAnswers.computeIfAbsent(id, first -> now);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
