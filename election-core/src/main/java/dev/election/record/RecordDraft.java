package dev.election.record;

import dev.election.FencingToken;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.record.ElectionRecord.Closed;
import dev.election.record.ElectionRecord.Epoch;
import dev.election.record.ElectionRecord.LastEviction;
import dev.election.record.ElectionRecord.Lease;
import dev.election.record.ElectionRecord.LockDelay;
import dev.election.record.ElectionRecord.Reserved;
import dev.election.record.ElectionRecord.Visitor;
import dev.election.record.ElectionRecord.Waiting;
import dev.election.store.Candidate;
import dev.election.store.Incarnation;
import dev.election.store.StoreEvent;
import dev.election.store.StoreMoment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A record while one request is decided: opened with what has ended taken out, then changed by the rules of that request. */
final class RecordDraft {

    private final LeaseRules rules;
    private final StoreMoment moment;
    private final List<StoreEvent> events = new ArrayList<>();
    private final Set<Decision.End> set = EnumSet.noneOf(Decision.End.class);

    private @Nullable Lease lease;
    private @Nullable Epoch epoch;
    private @Nullable LockDelay lockDelay;
    private List<Waiting> queue;
    private List<LeadershipRecord> history;

    /** The incarnation of the store, once {@link #noteIncarnation} was called. */
    private @Nullable String incarnation;

    RecordDraft(LeaseRules rules, ElectionRecord record, StoreMoment moment) {
        this.rules = rules;
        this.moment = moment;
        this.lease = bounded(record.lease());
        this.epoch = bounded(record.epoch());
        this.lockDelay = bounded(record.lockDelay());
        this.queue = record.queue();
        this.history = record.history();
    }

    <R> Decision<R> decide(R reply) {
        return new Decision<>(new ElectionRecord(lease, epoch, lockDelay, queue, history), reply, events, set);
    }

    long now() {
        return moment.millis();
    }

    @Nullable
    Lease lease() {
        return lease;
    }

    @Nullable
    Epoch epoch() {
        return epoch;
    }

    @Nullable
    LockDelay lockDelay() {
        return lockDelay;
    }

    @Nullable
    String incarnation() {
        return incarnation;
    }

    /** The highest token that was granted, or that a candidate had seen; 0 if there was none. */
    long token() {
        return epoch == null ? 0 : epoch.token();
    }

    /** The highest token that was released or evicted, 0 if none was. */
    long closed() {
        return epoch == null ? 0 : epoch.closed();
    }

    /** The end of the last lease, 0 if there was none. */
    long ends() {
        return epoch == null ? 0 : epoch.ends();
    }

    /** The cooldown of the node whose token was evicted, {@code null} if it was not evicted. */
    @Nullable
    Duration cooldown(long token) {
        LastEviction last = epoch == null ? null : epoch.eviction();
        return last != null && last.token() == token ? last.cooldown() : null;
    }

    /**
     * Begins a lock delay if another incarnation of the store wrote the record: that one may have acknowledged more than is here, so nobody is
     * granted the lease for its full length, in which a living leader renews. The lock delay also begins if this process has seen another
     * incarnation since, for a lease from the return. It does not if the present incarnation is older than a lease: the lease of every
     * earlier leader has ended.
     */
    void noteIncarnation(long asked) {
        Incarnation store = moment.incarnation();
        String id = store.id();
        incarnation = id;
        if (epoch == null || id == null) {
            return;
        }
        boolean isOther = !id.equals(epoch.incarnation());
        if (!isOther && !store.hasReturned()) {
            return;
        }
        long longest = Math.max(asked, epoch.length());
        epoch = epoch.writtenBy(id);
        long left = longest - store.unchangedFor().toMillis();
        boolean isLocked = !isOther
                && lockDelay != null
                && lockDelay.why().equals(Closed.FORGOTTEN)
                && lockDelay.ends() - now() >= left;
        boolean mayHaveForgotten = left > 0 && !isLocked;
        if (rules.protects(Guard.INCARNATION, mayHaveForgotten)) {
            // Each process counts the return from its own sight: a little more keeps them from writing in turn.
            lock(Closed.FORGOTTEN, isOther ? longest : left + longest / 50);
        }
        if (mayHaveForgotten) {
            rollCall();
        }
    }

    /** Begins a lock delay of that length, or of the time that is left of the present one if that is longer. Returns its length. */
    long lock(Closed why, long length) {
        long longest = lockDelay == null ? length : Math.max(length, lockDelay.ends() - now());
        lockDelay = new LockDelay(now() + longest, longest, why);
        set.add(Decision.End.LOCK_DELAY);
        return longest;
    }

    /** Keeps the lease for a successor for a while, but never in place of a lock delay that is there to keep everybody out. */
    void reserve(@Nullable String successor, Duration length) {
        if (successor != null && !length.isZero() && lockDelay == null) {
            lockDelay = new LockDelay(now() + length.toMillis(), length.toMillis(), new Reserved(successor));
            set.add(Decision.End.LOCK_DELAY);
        }
    }

    void unlock() {
        lockDelay = null;
    }

    /** Extends the lease of its holder. */
    Lease extend(Lease held, long length) {
        lease = held.until(now() + length, length);
        epoch = epochOrFirst().raised(held.token()).until(lease.ends(), length);
        set.add(Decision.End.LEASE);
        return lease;
    }

    /** Gives the lease to a candidacy, in place of any other lease. */
    Lease give(Candidate candidate, long token, long since, long length) {
        return extend(new Lease(candidate.candidacy(), candidate.node(), token, since, now(), length, null), length);
    }

    void free() {
        lease = null;
    }

    void visit(Lease held, String application, long until) {
        lease = held.visitedBy(new Visitor(application, until));
    }

    void raiseToken(long token) {
        epoch = epochOrFirst().raised(token);
    }

    void close(long token) {
        epoch = epochOrFirst().closed(token);
    }

    void noteEviction(long token, Duration cooldown) {
        epoch = epochOrFirst().evicted(new LastEviction(token, cooldown));
    }

    void rollCall() {
        events.add(new StoreEvent.RollCall(incarnation, Instant.ofEpochMilli(now())));
    }

    void publishAcquired(Lease held) {
        events.add(new StoreEvent.Acquired(held.leader(), Duration.ofMillis(held.length())));
    }

    void publishReleased(long token, @Nullable String successor, Duration reserve) {
        events.add(new StoreEvent.Released(new FencingToken(token), successor, reserve));
    }

    /**
     * Keeps a candidate in the queue, and returns how many stand before it. Candidates that have not asked for as long as a place lasts are gone:
     * a living one asks within a lease and a half, and one of its questions may be lost.
     */
    int queue(String candidacy, long length) {
        long latest = now() + length * rules.place();
        int rank = -1;
        List<Waiting> after = new ArrayList<>();
        for (Waiting waiting : queue) {
            if (waiting.gone() > now()) {
                boolean isThis = waiting.candidacy().equals(candidacy);
                rank = isThis ? after.size() : rank;
                boolean isExtended = isThis && isDue(waiting, length);
                after.add(waiting.until(isExtended ? latest : Math.min(waiting.gone(), latest)));
            }
        }
        if (rank < 0) {
            rank = after.size();
            long last = after.isEmpty() ? 0 : after.get(rank - 1).joined() + 1;
            after.add(new Waiting(candidacy, Math.max(now(), last), latest));
        }
        queue = after;
        return rank;
    }

    /**
     * Whether a place is extended: one that lasts longer than usual only when three leases are left of it, or up to half of it. All candidates ask
     * soon after the leader might have gone, so each place has a time of its own.
     */
    private boolean isDue(Waiting waiting, long length) {
        long spread = Math.max(0, length * rules.place() / 2 - length * LeaseRules.PLACE);
        long share = (spread * Integer.toUnsignedLong(waiting.hashCode() * 0x9E3779B9)) >>> Integer.SIZE;
        return waiting.gone() - now() <= length * LeaseRules.PLACE + share;
    }

    int queueLength() {
        return queue.size();
    }

    void leaveQueue(String candidacy) {
        queue = queue.stream()
                .filter(waiting -> !waiting.candidacy().equals(candidacy))
                .toList();
    }

    /** Records that a leadership begins. An earlier one that was never released has ended with its lease. */
    void begin(Lease held, long endOfLast) {
        if (rules.remembered() > 0) {
            LeadershipRecord last = lasting();
            if (last != null) {
                replaceLast(last, Math.min(endOfLast, now()), LossReason.EXPIRED, null);
            }
            remember(held);
        }
    }

    /** Records that a leadership has come back, unless the history still has it. */
    void resume(Lease held) {
        boolean isKnown = !history.isEmpty() && history.get(0).leader().token().value() == held.token();
        if (!isKnown && rules.remembered() > 0) {
            remember(held);
        }
    }

    void conclude(long token, LossReason reason, @Nullable String requestedBy) {
        LeadershipRecord last = lasting();
        if (last != null && last.leader().token().value() == token) {
            replaceLast(last, now(), reason, requestedBy);
        }
    }

    /** The last leadership, if its end is not known. */
    private @Nullable LeadershipRecord lasting() {
        return history.isEmpty() || history.get(0).until() != null ? null : history.get(0);
    }

    private void remember(Lease held) {
        List<LeadershipRecord> after = new ArrayList<>();
        after.add(new LeadershipRecord(held.leader(), null, null));
        after.addAll(history.subList(0, Math.min(rules.remembered() - 1, history.size())));
        history = after;
    }

    private void replaceLast(LeadershipRecord last, long until, LossReason reason, @Nullable String requestedBy) {
        List<LeadershipRecord> after = new ArrayList<>(history);
        after.set(0, new LeadershipRecord(last.leader(), Instant.ofEpochMilli(until), reason, requestedBy));
        history = after;
    }

    private Epoch epochOrFirst() {
        return epoch == null ? Epoch.first(incarnation) : epoch;
    }

    private @Nullable Lease bounded(@Nullable Lease held) {
        if (held == null || held.ends() < now()) {
            return null;
        }
        return isTooLate(held.ends(), held.length()) ? held.until(now() + held.length(), held.length()) : held;
    }

    private @Nullable Epoch bounded(@Nullable Epoch before) {
        return before == null || !isTooLate(before.ends(), before.length())
                ? before
                : before.until(now() + before.length(), before.length());
    }

    private @Nullable LockDelay bounded(@Nullable LockDelay before) {
        if (before == null || before.ends() <= now()) {
            return null;
        }
        return isTooLate(before.ends(), before.length())
                ? new LockDelay(now() + before.length(), before.length(), before.why())
                : before;
    }

    /** Whether an end lies further ahead than its length: the clock has gone back. */
    private boolean isTooLate(long ends, long length) {
        return rules.protects(Guard.CLOCK, ends > now() + length);
    }
}
