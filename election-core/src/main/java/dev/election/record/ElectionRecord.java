package dev.election.record;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.NodeInfo;
import dev.election.store.Candidate;
import dev.election.store.Held;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The record of one election: all that a store knows of it. Times are milliseconds since 1970 by the clock of the store.
 *
 * @param lease the lease, {@code null} if nobody holds it
 * @param epoch the facts that outlast a lease, {@code null} if nothing was ever granted here
 * @param lockDelay the time in which nobody, or one node only, may be granted the lease, {@code null} if somebody may
 * @param queue the candidates that wait, in the order in which they are to try
 * @param history the last leaderships, the latest first
 */
public record ElectionRecord(
        @Nullable Lease lease,
        @Nullable Epoch epoch,
        @Nullable LockDelay lockDelay,
        List<Waiting> queue,
        List<LeadershipRecord> history) {

    /** The record of an election of which a store knows nothing. */
    public static final ElectionRecord EMPTY = new ElectionRecord(null, null, null, List.of(), List.of());

    public ElectionRecord {
        queue = List.copyOf(queue);
        history = List.copyOf(history);
    }

    /**
     * Whether this differs from an earlier record enough to be written. A place in the queue that was extended with more than half of its time
     * left does not count: a follower asks more than once in that time.
     */
    boolean isWorthWriting(ElectionRecord before, long now) {
        return queue.size() != before.queue.size()
                || !equals(new ElectionRecord(before.lease, before.epoch, before.lockDelay, queue, before.history))
                || IntStream.range(0, queue.size())
                        .anyMatch(i -> queue.get(i).isWorthWriting(before.queue.get(i), now));
    }

    /** Returns this record with ends that follow from their lengths, and from when the last grant or renewal and the lock delay began. */
    ElectionRecord begun(long leaseBegan, long lockDelayBegan) {
        return new ElectionRecord(
                lease == null ? null : lease.until(leaseBegan + lease.length, lease.length),
                epoch == null || epoch.length == 0 ? epoch : epoch.until(leaseBegan + epoch.length, epoch.length),
                lockDelay == null
                        ? null
                        : new LockDelay(lockDelayBegan + lockDelay.length, lockDelay.length, lockDelay.why),
                queue,
                history);
    }

    /**
     * The lease and its holder.
     *
     * @param candidacy the candidacy to which it was granted
     * @param node its node
     * @param token the token of the grant
     * @param since when it was granted
     * @param ends when it ends; it lasts through that millisecond
     * @param length how long it was made for
     * @param visitor the last candidate of another application, {@code null} if there was none
     */
    public record Lease(
            String candidacy,
            NodeInfo node,
            long token,
            long since,
            long ends,
            long length,
            @Nullable Visitor visitor) {

        /** Returns this lease with another end. */
        Lease until(long ends, long length) {
            return new Lease(candidacy, node, token, since, ends, length, visitor);
        }

        Lease visitedBy(Visitor visitor) {
            return new Lease(candidacy, node, token, since, ends, length, visitor);
        }

        boolean isOf(Candidate candidate) {
            return candidacy.equals(candidate.candidacy());
        }

        /** Creates the reply to a candidate that may not have the lease. */
        Held held(long now, int rank) {
            return new Held(leader(), Duration.ofMillis(ends - now), OptionalInt.of(rank), node.application());
        }

        Leader leader() {
            return new Leader(node.id(), node.address(), new FencingToken(token), Instant.ofEpochMilli(since));
        }
    }

    /**
     * An application of another name that campaigns for the same election.
     *
     * @param application its name
     * @param until until when that counts
     */
    public record Visitor(String application, long until) {}

    /**
     * The facts that outlast a lease.
     *
     * @param token the highest token that was granted, or that a candidate had seen
     * @param closed the highest token that was released or evicted, 0 if none was
     * @param ends when the last lease ends, 0 if there was none
     * @param length how long that lease was made for, 0 if there was none
     * @param incarnation the incarnation of the store that wrote this last, empty if it did not tell
     * @param eviction the last eviction, {@code null} if there was none
     */
    public record Epoch(
            long token, long closed, long ends, long length, String incarnation, @Nullable LastEviction eviction) {

        static Epoch first(@Nullable String incarnation) {
            return new Epoch(0, 0, 0, 0, incarnation == null ? "" : incarnation, null);
        }

        /** Returns this epoch with that token, if it is higher: none is forgotten. */
        Epoch raised(long heard) {
            return new Epoch(Math.max(token, heard), closed, ends, length, incarnation, eviction);
        }

        Epoch closed(long freed) {
            return new Epoch(Math.max(token, freed), Math.max(closed, freed), ends, length, incarnation, eviction);
        }

        Epoch evicted(LastEviction last) {
            return new Epoch(Math.max(token, last.token), closed, ends, length, incarnation, last);
        }

        Epoch until(long ends, long length) {
            return new Epoch(token, closed, ends, length, incarnation, eviction);
        }

        Epoch writtenBy(String incarnation) {
            return new Epoch(token, closed, ends, length, incarnation, eviction);
        }
    }

    /**
     * A lease that was taken away by force.
     *
     * @param token the token under which it was held
     * @param cooldown how long its node cools down once it learns of the eviction
     */
    public record LastEviction(long token, Duration cooldown) {}

    /**
     * A time in which nobody may be granted the lease, or one node only.
     *
     * @param ends when it is over; it does not include that millisecond
     * @param length how long it was made for
     * @param why the reason why it was begun
     */
    public record LockDelay(long ends, long length, Reason why) {

        boolean binds(NodeInfo node) {
            return !(why instanceof Reserved reserved && reserved.node().equals(node.id()));
        }
    }

    /** The reason why a lock delay was begun. */
    public sealed interface Reason permits Closed, Reserved {

        /** Returns the text of this reason in a record. */
        String text();

        /** Reads the text of a reason. */
        static Reason of(String text) {
            return text.startsWith(Reserved.MARK)
                    ? new Reserved(text.substring(Reserved.MARK.length()))
                    : new Closed(text);
        }
    }

    /**
     * Nobody may be granted the lease.
     *
     * @param text the reason, for people
     */
    public record Closed(String text) implements Reason {

        /** The store has forgotten a grant, or may have. */
        public static final Closed FORGOTTEN = new Closed("forgotten");

        /** Nothing was ever granted here, as far as anybody knows. */
        public static final Closed SETTLING = new Closed("settling");
    }

    /**
     * The lease is kept for a successor.
     *
     * @param node the id of the only node that may be granted the lease
     */
    public record Reserved(String node) implements Reason {

        private static final String MARK = "reserved:";

        @Override
        public String text() {
            return MARK + node;
        }
    }

    /**
     * A candidate that waits.
     *
     * @param candidacy its candidacy
     * @param joined when it came
     * @param gone when it counts as gone unless it asks again
     */
    public record Waiting(String candidacy, long joined, long gone) {

        Waiting until(long gone) {
            return new Waiting(candidacy, joined, gone);
        }

        private boolean isWorthWriting(Waiting before, long now) {
            boolean isSamePlace = candidacy.equals(before.candidacy) && joined == before.joined;
            return !isSamePlace || (gone > before.gone && before.gone - now <= (gone - now) / 2);
        }
    }
}
