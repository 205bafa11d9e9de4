package dev.election.record;

import dev.election.record.RecordStore.Origin;
import dev.election.support.RandomId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The proof of a store that counts its writes that it has lost nothing: no version has fallen, and connections to it have followed one another
 * without a gap. A store can be restored below a server that goes on, so that a connection alone proves nothing; and a version that has not fallen
 * proves nothing alone, where nothing was read between the backup and its restore.
 *
 * <p>The version of one object that is read is compared with the earlier ones of the same object, since it says when that was written last. That
 * of a list, or of the whole store, is the latest of all, and that of a write later than all others: both are compared with all. An object
 * that is missing says nothing, so a list is asked for, too.
 *
 * <p>Such a store has no clock, so each origin is without a time.
 */
public final class ConnectionProof {

    /** No server is stopped, its store restored and it started again within that time. */
    private static final Duration BRIDGE = Duration.ofMillis(500);

    private static final int REMEMBERED = 4096;

    private volatile Runnable whenReplaced = () -> {};
    private final LongSupplier nanos;

    /** The highest version of each object. Guarded by this, as are the others. */
    private final Map<String, Long> versions = new LinkedHashMap<>(16, 0.75f, true) {

        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > REMEMBERED;
        }
    };

    private long highest;
    private int falls;

    /** The oldest chain of connections that is known to be alive, and when it was last heard of. */
    private @Nullable Chain oldest;

    private long heardAt;

    /** Creates the proof without any observation of the store. */
    public ConnectionProof() {
        this(System::nanoTime);
    }

    /** Creates the proof with another clock, which counts nanoseconds. */
    ConnectionProof(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Sets the task that runs when a version has fallen, or the store was replaced. */
    void whenReplaced(Runnable task) {
        whenReplaced = task;
    }

    /** The versions that were known when a request was sent: its reply is compared with them, since others may overtake it. */
    public static final class Sent {

        private final String name;
        private final long version;
        private final long highest;
        private final long at;

        private Sent(String name, long version, long highest, long at) {
            this.name = name;
            this.version = version;
            this.highest = highest;
            this.at = at;
        }
    }

    /** Connections that have followed one another without a gap. */
    private record Chain(String name, long since) {}

    /** A connection, with the chain that it belongs to as far as is known. */
    public static final class Link {

        private final long openedAt;
        private Chain chain;

        private Link(long openedAt) {
            this.openedAt = openedAt;
            this.chain = new Chain(RandomId.ofBytes(8), openedAt);
        }
    }

    /** Notes that a connection was opened. */
    public Link opened() {
        return new Link(nanos.getAsLong());
    }

    /** Notes that a request for an object, or for all for an empty name, is sent now. */
    public synchronized Sent sending(String name) {
        return new Sent(name, versions.getOrDefault(name, 0L), highest, nanos.getAsLong());
    }

    /**
     * Notes a reply without a version to compare. Its server was there when the request was sent, or later: when the reply was read says nothing,
     * since it may have waited for a process that was paused.
     */
    public synchronized Origin heard(Link link, Sent sent) {
        adopt(link);
        Chain known = oldest;
        boolean isGone = known == null || heardAt - link.openedAt <= -BRIDGE.toNanos();
        if (known != null && !isGone && known.equals(link.chain)) {
            heardAt = sent.at - heardAt > 0 ? sent.at : heardAt;
        } else if (known == null || isGone || link.chain.since - known.since < 0) {
            oldest = link.chain;
            heardAt = sent.at;
        }
        return shown(link);
    }

    /** Names the chain of what a connection says without being asked, which is no sign of life: it may have waited, too. */
    public synchronized Origin told(Link link) {
        adopt(link);
        return shown(link);
    }

    /** Makes a connection part of an older chain that was alive when it was opened, or just before. */
    private void adopt(Link link) {
        Chain known = oldest;
        if (known != null && heardAt - link.openedAt > -BRIDGE.toNanos() && known.since - link.chain.since < 0) {
            link.chain = known;
        }
    }

    private Origin shown(Link link) {
        return new Origin(null, Continuity.ofConnection(link.chain.name + "/" + falls));
    }

    /** Notes that the store was replaced by another one. */
    public void replaced() {
        synchronized (this) {
            forget();
        }
        whenReplaced.run();
    }

    private void forget() {
        falls++;
        versions.clear();
        highest = 0;
    }

    /** Notes the version of the object that was read. */
    public Origin read(Link link, Sent sent, long version) {
        return note(link, sent, sent.name, version, version < sent.version);
    }

    /** Notes the version of a list, or of the whole store. */
    public Origin listed(Link link, Sent sent, long version) {
        return note(link, sent, "", version, version < sent.highest);
    }

    /** Notes the version that a write has made. */
    public Origin written(Link link, Sent sent, long version) {
        return note(link, sent, sent.name, version, version <= sent.highest);
    }

    private Origin note(Link link, Sent sent, String name, long version, boolean hasFallen) {
        Origin shown;
        synchronized (this) {
            if (hasFallen) {
                forget();
            }
            if (!name.isEmpty()) {
                versions.merge(name, version, Math::max);
            }
            highest = Math.max(highest, version);
            shown = heard(link, sent);
        }
        if (hasFallen) {
            whenReplaced.run();
        }
        return shown;
    }
}
