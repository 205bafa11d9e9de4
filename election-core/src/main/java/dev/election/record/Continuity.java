package dev.election.record;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * By what a store shows that it still has all that it has acknowledged. A store gives names only: for how long nothing has changed each
 * process counts itself, on its monotonic clock, from when it first heard the name. The age of a server proves nothing: a standby that was promoted has run for days, and
 * has taken writes for a second.
 */
public sealed interface Continuity {

    /**
     * The store can tell.
     *
     * @param id another one whenever the store may have lost what it acknowledged: after a restart, and when a replica was promoted
     */
    static Continuity ofIncarnation(String id) {
        return new OfIncarnation(id, Duration.ZERO, null);
    }

    /**
     * The same for a store that also shows where it stands in its line.
     *
     * @param line by which an old server is told from the one that has replaced it
     */
    static Continuity ofIncarnation(String id, Line line) {
        return new OfIncarnation(id, Duration.ZERO, line);
    }

    /**
     * The same for a store that knows more than a name.
     *
     * @param provenAge for how long this incarnation has certainly been the one that takes writes; the uptime of a server that certainly never
     *     was a replica, for instance
     */
    static Continuity ofIncarnation(String id, Duration provenAge) {
        return new OfIncarnation(id, provenAge, null);
    }

    /**
     * A number that never falls while a store keeps what it has acknowledged, such as the timeline of a PostgreSQL. An answer below the highest
     * position that a process had seen when it sent the request comes from a server that was replaced, or one that has lost something: it counts
     * as no answer.
     *
     * @param name of what the number counts, for messages too; servers with the same name are copies of each other
     * @param position of the server that answers
     */
    record Line(String name, long position) {}

    /**
     * The store can't tell, but a connection to it ends when it is replaced.
     *
     * @param id drawn at random when the connection that carried the request was opened, one of the driver and not one that a pool lends, and
     *     again when its server, which was a standby, takes writes
     */
    static Continuity ofConnection(String id) {
        return new OfConnection(id);
    }

    /** Of a store that can't tell, and whose operators promise that it loses nothing. */
    static Continuity promised() {
        return new Promised();
    }

    /** See {@link #ofIncarnation(String, Duration)} and {@link #ofIncarnation(String, Line)}. */
    record OfIncarnation(String id, Duration provenAge, @Nullable Line line) implements Continuity {

        public OfIncarnation {
            requireId(id);
            if (provenAge.isNegative()) {
                throw new IllegalArgumentException("An incarnation can't be there for " + provenAge);
            }
        }
    }

    /** See {@link #ofConnection}. */
    record OfConnection(String id) implements Continuity {

        public OfConnection {
            requireId(id);
        }
    }

    /** See {@link #promised}. */
    record Promised() implements Continuity {}

    private static void requireId(String id) {
        if (id.isBlank()) {
            throw new IllegalArgumentException("An incarnation or a connection must have an id");
        }
    }
}
