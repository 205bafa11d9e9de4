package dev.election.kubernetes.internal;

import dev.election.record.Continuity;
import dev.election.support.RandomId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The proof that the store behind an API server has lost nothing: no connection has ended without another that took its place at once, and no
 * version has fallen. Etcd can be restored below an API server that goes on, so that a connection alone proves nothing; and a version that
 * has not fallen yet proves nothing alone, where nothing was read between the backup and its restore.
 *
 * <p>A version that is read is compared with the earlier ones of the same Lease, since it says when that was written last. That of a list or of
 * a write is the latest of all, and is compared with all.
 */
final class Proof {

    /** No API server is stopped, its store restored and it started again within that time. */
    private static final Duration BRIDGE = Duration.ofSeconds(1);

    private static final int REMEMBERED = 4096;

    private final Runnable whenFallen;

    /** The highest version of each Lease. Guarded by this, as are the others. */
    private final Map<String, Long> versions = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    private long highest;
    private int falls;

    /** The name of the connection that was answered last, and when. */
    private String answered = "";

    private long answeredAt;

    /**
     * Creates the proof of a store that nothing is known of.
     *
     * @param whenFallen runs when a version has fallen
     */
    Proof(Runnable whenFallen) {
        this.whenFallen = whenFallen;
    }

    /** What was known when a request was sent: its reply is compared with that, since others may overtake it. */
    record Sent(String name, long version, long highest) {}

    /** Returns the name of a connection that was opened now: that of the last one, if it has been answered just now. */
    synchronized String opened() {
        boolean isBridged = !answered.isEmpty() && System.nanoTime() - answeredAt < BRIDGE.toNanos();
        return isBridged ? answered : RandomId.ofBytes(8);
    }

    /** Notes that a request for a Lease, or for all for an empty name, is sent now. */
    synchronized Sent sending(String name) {
        return new Sent(name, versions.getOrDefault(name, 0L), highest);
    }

    /** Notes a reply without a version. */
    synchronized Continuity answered(String connection) {
        answered = connection;
        answeredAt = System.nanoTime();
        return Continuity.ofConnection(connection + "/" + falls);
    }

    /** Notes the version of a Lease that was read. */
    Continuity read(String connection, Sent sent, long version) {
        return note(connection, sent.name, version, version < sent.version);
    }

    /** Notes the version of a Lease that was written, or of a list. */
    Continuity latest(String connection, Sent sent, long version) {
        return note(connection, sent.name, version, version < sent.highest);
    }

    private Continuity note(String connection, String name, long version, boolean hasFallen) {
        Continuity shown;
        synchronized (this) {
            if (hasFallen) {
                falls++;
                versions.clear();
                highest = 0;
            }
            if (!name.isEmpty()) {
                versions.merge(name, version, Math::max);
            }
            highest = Math.max(highest, version);
            shown = answered(connection);
        }
        if (hasFallen) {
            whenFallen.run();
        }
        return shown;
    }

    /** Returns the proof of what a connection says without being asked. */
    synchronized Continuity shown(String connection) {
        return Continuity.ofConnection(connection + "/" + falls);
    }
}
