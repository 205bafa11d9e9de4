package dev.election.record;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The proof of a store that it still has all that it has acknowledged. A store gives names only: each process counts for how long a name is
 * the same, on its monotonic clock, from when it first received the name. The age of a server proves nothing: a standby that was promoted has
 * run for days, and has taken writes for a second.
 */
public sealed interface Continuity {

    /**
     * Creates the proof of a store that can name its incarnation.
     *
     * @param id the name of the incarnation, another one whenever the store may have lost what it acknowledged: after a restart, and when a
     *     replica was promoted
     */
    static Continuity ofIncarnation(String id) {
        return new OfIncarnation(id, Duration.ZERO, null, null);
    }

    /**
     * Creates the proof of a store that can name its incarnation, and shows the position of its server in a line.
     *
     * @param line the line and position, which distinguish an old server from the one that has replaced it
     */
    static Continuity ofIncarnation(String id, Line line) {
        return ofIncarnation(id, line, null);
    }

    /**
     * Creates the proof of a store that can name its incarnation, shows the position of its server in a line, and may lose nothing by a restart.
     *
     * @param line the line and position, which distinguish an old server from the one that has replaced it
     * @param log how far the log has come, {@code null} if a restart may lose what the store acknowledged
     */
    static Continuity ofIncarnation(String id, Line line, @Nullable Log log) {
        return new OfIncarnation(id, Duration.ZERO, line, log);
    }

    /**
     * Creates the proof of a store that can name its incarnation, and knows its age.
     *
     * @param provenAge for how long this incarnation has certainly been the one that takes writes; the uptime of a server that certainly never
     *     was a replica, for instance
     */
    static Continuity ofIncarnation(String id, Duration provenAge) {
        return new OfIncarnation(id, provenAge, null, null);
    }

    /**
     * A number that never falls while a store keeps what it has acknowledged, such as the timeline of a PostgreSQL. An answer below the highest
     * position that a process had seen when it sent the request comes from a server that was replaced, or one that has lost something: it counts
     * as no answer.
     *
     * @param name the name of the line, for messages too; servers with the same name are copies of each other
     * @param position the number of the server that answers
     */
    record Line(String name, long position) {}

    /**
     * The log of a store that acknowledges only what it will have after a restart, too. A process that has seen the log before a restart, and
     * finds that it goes on there, knows that nothing was lost. A log that is shorter then is that of an older copy.
     *
     * @param name of the log and its data: another one after the promotion of a replica, and when the data were restored from elsewhere
     * @param position the length of the part that outlasts a restart, which never falls
     */
    record Log(String name, long position) {}

    /**
     * Creates the proof of a store that can't name its incarnation, but whose connections end when it is replaced.
     *
     * @param id an id drawn at random when the connection that carried the request was opened, one of the driver and not one that a pool lends, and
     *     again when its server, which was a standby, takes writes
     */
    static Continuity ofConnection(String id) {
        return new OfConnection(id);
    }

    /** Creates the proof of a store that can't name its incarnation, and whose operators promise that it loses nothing. */
    static Continuity promised() {
        return new Promised();
    }

    /** Whether that proof shows the same incarnation or connection, whatever else it shows. */
    default boolean isSameAs(@Nullable Continuity other) {
        return equals(other);
    }

    /** An incarnation, see {@link #ofIncarnation(String, Duration)} and {@link #ofIncarnation(String, Line, Log)}. */
    record OfIncarnation(String id, Duration provenAge, @Nullable Line line, @Nullable Log log) implements Continuity {

        public OfIncarnation {
            requireId(id);
            if (provenAge.isNegative()) {
                throw new IllegalArgumentException("An incarnation can't be there for " + provenAge);
            }
        }

        @Override
        public boolean isSameAs(@Nullable Continuity other) {
            return other instanceof OfIncarnation that && that.id.equals(id);
        }
    }

    /** A connection, see {@link #ofConnection}. */
    record OfConnection(String id) implements Continuity {

        public OfConnection {
            requireId(id);
        }
    }

    /** A promise, see {@link #promised}. */
    record Promised() implements Continuity {}

    private static void requireId(String id) {
        if (id.isBlank()) {
            throw new IllegalArgumentException("An incarnation or a connection must have an id");
        }
    }
}
