package dev.election.record;

import dev.election.record.Continuity.OfConnection;
import dev.election.record.Continuity.OfIncarnation;
import dev.election.store.Incarnation;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** For how long a store has been the same, as this process has seen it. Any number of threads may ask. */
final class ObservedStore {

    /** Of more connections than that, those that have not answered for the longest are taken for new ones again. */
    private static final int CONNECTIONS = 256;

    private final LongSupplier nanos;

    /** The incarnation that answered last. Guarded by this. */
    private @Nullable Sight incarnation;

    /** When each connection answered first, by its id. Guarded by this. */
    private final Map<String, Long> connections = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > CONNECTIONS;
        }
    };

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

    private record Sight(String id, long since) {}

    /** The store has answered, and shows that by which it is known. */
    synchronized Incarnation see(Continuity shown) {
        long now = nanos.getAsLong();
        if (shown instanceof OfIncarnation present) {
            // One that comes back after another, as after a failover that was taken back, may lack what the other has
            // acknowledged.
            if (incarnation == null || !incarnation.id.equals(present.id())) {
                incarnation = new Sight(present.id(), now);
            }
            Duration seenFor = Duration.ofNanos(now - incarnation.since);
            return new Incarnation(present.id(), longer(seenFor, present.provenAge()));
        }
        if (shown instanceof OfConnection connection) {
            return new Incarnation(null, Duration.ofNanos(now - firstAnswer(connection, now)));
        }
        return Incarnation.UNKNOWN;
    }

    /**
     * Whether what has carried out a change is certainly the store that answered a read, with all that it had then: otherwise a standby
     * that lags may have taken its place, and a change that rests on that read does not count.
     *
     * @param read what the answer to the read has shown
     * @param readSentAt when the read was sent
     * @param changed what the answer to the change has shown
     */
    synchronized boolean continues(Continuity read, long readSentAt, Continuity changed) {
        if (read instanceof OfIncarnation before && changed instanceof OfIncarnation after) {
            return before.id().equals(after.id());
        }
        if (read instanceof OfConnection before && changed instanceof OfConnection after) {
            // Also another one that has answered before that.
            return before.equals(after) || firstAnswer(after, nanos.getAsLong()) - readSentAt < 0;
        }
        return read.equals(changed);
    }

    private long firstAnswer(OfConnection connection, long now) {
        return connections.computeIfAbsent(connection.id(), id -> now);
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) > 0 ? one : other;
    }
}
