package dev.election.faults.checker;

import dev.election.faults.history.Consequence;
import dev.election.faults.history.Entry;
import dev.election.faults.node.NodeSettings;
import java.time.Duration;
import java.util.Set;

/**
 * How long an election may have no leader, by the design alone: the sum of all that may have to be waited for, one after the other.
 * The figures are those of the engine ({@code ProtocolTimings}) and of the store: {@code ReplyTimeout}, {@code ConnectTimeout} and
 * {@code ReconnectPauses} of Redis, {@code KeptConnections} of the others, with {@code JdbcRecordStore}, {@code Requests} and {@code Session} of a database.
 */
public final class Bound {

    private static final long MILLI = 1_000_000;

    /** The longest pause of a follower between two attempts to connect that were not answered: half a lease, within these. */
    private static final long SHORTEST_BACK_OFF = 500 * MILLI;

    private static final long LONGEST_BACK_OFF = 5_000 * MILLI;

    /** An attempt to connect takes up to two leases, but no longer than this. */
    private static final long LONGEST_ATTEMPT = 10_000 * MILLI;

    /** A connection on which nothing is answered for this part of the lease is replaced. */
    private static final long REQUESTS_PER_LEASE = 8;

    /** How often a segment is lost is a matter of luck: what counts is that somebody leads again while the link is as it is. */
    private static final int LEASES_OF_SLOW_LINKS = 8;

    private static final Set<String> DATABASES = Set.of("DATABASE", "STANDBY", "ADDRESS", "DUMPS");

    private static final Set<String> NOTIFYING = Set.of("KUBERNETES", "ETCD");

    /** The client of ZooKeeper pauses before each attempt to connect. */
    private static final long PAUSE_OF_ZOOKEEPER = 1_000 * MILLI;

    /** How long a database or an API server takes to answer at most, beside the poll interval, where nothing is wrong. */
    private static final long PATIENCE_WITH_RECORDS = 500 * MILLI;

    private Bound() {}

    /** Times in nanoseconds for which a store lets a node wait: for a connection, and for news of the others. */
    private record Waits(long reconnect, long news) {

        static Waits ofRedis(long lease) {
            return new Waits(reconnectToRedis(lease), 0);
        }

        static Waits ofDatabase(long lease) {
            long interval = NodeSettings.pollInterval(Duration.ofNanos(lease)).toNanos();
            return new Waits(reconnectKept(lease), interval + PATIENCE_WITH_RECORDS);
        }

        /** Nobody has to look for news: the server tells them. */
        static Waits ofNotifying(long lease) {
            return new Waits(reconnectKept(lease), PATIENCE_WITH_RECORDS);
        }

        static Waits ofZooKeeper(long lease) {
            return new Waits(reconnectKept(lease) + 2 * PAUSE_OF_ZOOKEEPER, PATIENCE_WITH_RECORDS);
        }

        static Waits of(String topology, long lease) {
            if (topology.equals("ZOOKEEPER")) {
                return ofZooKeeper(lease);
            }
            return DATABASES.contains(topology)
                    ? ofDatabase(lease)
                    : NOTIFYING.contains(topology) ? ofNotifying(lease) : ofRedis(lease);
        }
    }

    static long requestTimeout(long leaseMillis) {
        return leaseMillis * MILLI / REQUESTS_PER_LEASE;
    }

    /** In nanoseconds, over Redis. */
    public static long of(Set<Consequence> consequences, long leaseMillis) {
        long lease = leaseMillis * MILLI;
        return of(consequences, lease, Waits.ofRedis(lease));
    }

    /** In nanoseconds, over the store of the group. */
    public static long of(Set<Consequence> consequences, Entry.Begun about) {
        long lease = about.leaseMillis() * MILLI;
        return of(consequences, lease, Waits.of(about.topology(), lease));
    }

    private static long of(Set<Consequence> consequences, long lease, Waits waits) {
        long bound = 0;
        for (Consequence consequence : consequences) {
            bound += switch (consequence) {
                // A key is gone in the millisecond after its expiry.
                case ORPHANED_LEASE -> lease + MILLI;
                // The last of them comes while the lease lasts.
                case LATE_REQUESTS -> lease;
                // The hold begins with the first who asks.
                case FORGETFUL_STORE, SUSPECT_STORE -> lease;
                case LOST_CONNECTIONS -> waits.reconnect();
                // The old one is found at first, and left again.
                case OTHER_PRIMARY -> waits.reconnect();
                case SLOW_LINKS -> LEASES_OF_SLOW_LINKS * lease;
                case HAND_OVER, NO_ELECTION, UNREACHABLE_LEADER, FRESH_NODE, TWO_PRIMARIES, OLD_RECORD -> 0;
            };
        }
        boolean costsLeadership = bound > 0 || consequences.contains(Consequence.HAND_OVER);
        return costsLeadership ? bound + attempt(lease, leavesUnanswered(consequences)) + waits.news() : 0;
    }

    /** Whether requests go unanswered for long, so that nodes wait longer for the next ones. */
    private static boolean leavesUnanswered(Set<Consequence> consequences) {
        return consequences.contains(Consequence.LOST_CONNECTIONS)
                || consequences.contains(Consequence.LATE_REQUESTS)
                || consequences.contains(Consequence.OTHER_PRIMARY)
                || consequences.contains(Consequence.SLOW_LINKS);
    }

    /** A request is under way and lost, a pause follows, and then the candidates before it in the queue. */
    private static long attempt(long lease, boolean afterUnanswered) {
        long patience = afterUnanswered ? lease / 3 : lease / 6;
        long retry = Math.min(1000 * MILLI, lease / 10) * 5 / 4;
        long rank = lease / 5;
        return patience + retry + rank;
    }

    /**
     * A connection from before is silent for as long as that may last, or an attempt to connect hangs no longer than that; then a
     * follower's pause, then an attempt that takes its first patience.
     */
    private static long reconnectToRedis(long lease) {
        long pause = Math.max(SHORTEST_BACK_OFF, Math.min(LONGEST_BACK_OFF, lease / 2));
        long connect = Math.max(lease / 4, Math.min(1000 * MILLI, lease / 2));
        long hanging = Math.max(lease, Math.min(LONGEST_ATTEMPT, 2 * lease));
        return hanging + pause + connect;
    }

    /**
     * A request hangs until its connection is given up, then the check of the other connection, then an attempt to connect: each for no
     * longer than the limit, and half a second for the first.
     */
    private static long reconnectKept(long lease) {
        long limit = Math.max(1_000 * MILLI, Math.min(10_000 * MILLI, lease / 3));
        return 3 * limit + 500 * MILLI;
    }
}
