package dev.election.store;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LossReason;
import dev.election.StoreView;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The scripts once more, in Java and in memory, for one election: what the simulator runs and the contract compares with Redis. */
public final class LeaseMachine {

    /** What stands in the lease key. */
    record Lease(Candidate candidate, long token, long since, long expiry, long length) {}

    /** What stands in the epoch key. */
    record Epoch(long token, long closed, long until, long length, long incarnation) {}

    /** What stands in the lock-delay key; {@code reservedFor} is empty for a wait that binds all. */
    record Hold(String reservedFor, long expiry, long length) {}

    /** What the epoch key tells of the last eviction. */
    record Eviction(long token, Duration cooldown) {}

    /** What the lease key tells of candidates of another application. */
    record Visitor(String application, long until) {}

    /** What of an election comes back with old data. */
    public enum Part {
        LEASE,
        TERM,
        HOLD
    }

    /** All that was known at some moment, but for the line and the history, on which nothing depends. */
    public record Saved(Lease lease, Epoch epoch, Hold hold, Eviction eviction) {

        public boolean knowsGrants() {
            return epoch != null && epoch.token > 0;
        }
    }

    private final LongSupplier millis;
    private final Consumer<Hint> publish;
    private final Set<Guard> missing;
    private final Duration comeback;

    private Lease lease;
    private Hold hold;
    private Epoch epoch;
    private Eviction eviction;
    private Visitor visitor;
    private final Map<String, Long> line = new LinkedHashMap<>();

    /** The present process of the server with its data; 1 has been there for ever. */
    private long incarnation = 1;

    private long startedAt = Long.MIN_VALUE / 2;
    private boolean wasReplica;
    private final LeadershipRecords terms = new LeadershipRecords();

    public LeaseMachine(LongSupplier millis, Consumer<Hint> publish) {
        this(millis, publish, EnumSet.noneOf(Guard.class), Duration.ZERO);
    }

    /**
     * One without some of its guards.
     *
     * @param comeback how much longer it settles where it was just started
     */
    public LeaseMachine(LongSupplier millis, Consumer<Hint> publish, Set<Guard> missing, Duration comeback) {
        this.millis = millis;
        this.publish = publish;
        this.missing = missing;
        this.comeback = comeback;
    }

    public void forget() {
        loseLease();
        hold = null;
        terms.forget();
        epoch = null;
        eviction = null;
        line.clear();
    }

    public Saved save() {
        expire();
        return new Saved(lease, epoch, hold, eviction);
    }

    /** The server starts again, with these parts as they were then and all others as they are now. */
    public void restart(Saved saved, Set<Part> old) {
        restore(saved, old);
        incarnation++;
        startedAt = millis.getAsLong();
        wasReplica = false;
    }

    /** A replica takes over, with what has reached it. Who knows how long it has been there. */
    public void promote(Saved saved) {
        restore(saved, EnumSet.allOf(Part.class));
        incarnation++;
        startedAt = Long.MIN_VALUE / 2;
        wasReplica = !missing.contains(Guard.REPLICA);
    }

    /** The record was written by a server that is no more, and this one was started so long ago. */
    public void becomeAnother(Duration age) {
        incarnation++;
        startedAt = millis.getAsLong() - age.toMillis();
    }

    private void restore(Saved saved, Set<Part> old) {
        if (old.contains(Part.LEASE)) {
            lease = saved.lease;
        }
        if (old.contains(Part.TERM)) {
            epoch = saved.epoch;
            eviction = saved.eviction;
        }
        if (old.contains(Part.HOLD)) {
            hold = saved.hold;
        }
    }

    public void loseLease() {
        lease = null;
    }

    /** The candidacy that the store takes for the leader, or null. */
    public String holder() {
        expire();
        return lease == null ? null : lease.candidate.candidacy();
    }

    public CampaignReply campaign(CampaignRequest request) {
        expire();
        long now = millis.getAsLong();
        long length = request.lease().toMillis();
        Candidate candidate = request.candidate();
        noteIncarnation(length);
        boolean isMine = lease != null && lease.candidate.candidacy().equals(candidate.candidacy());
        if (lease != null && !isMine) {
            noteVisit(candidate, length);
            return held(rank(candidate, length));
        }
        boolean isHeldBack = hold != null && !hold.reservedFor.equals(candidate.node());
        if (isMine && isHeldBack) {
            return new Wait(Duration.ofMillis(hold.expiry - now), rank(candidate, length));
        }
        if (isMine && now - lease.since >= length) {
            return new Wait(Duration.ofMillis(lease.expiry - now), rank(candidate, length));
        }
        if (isMine) {
            lease = new Lease(lease.candidate, lease.token, lease.since, now + length, length);
            epoch = new Epoch(token(), closed(), lease.expiry, length, incarnation);
            return granted();
        }
        if (token() < request.seen()) {
            epoch = new Epoch(request.seen(), closed(), until(), length(), incarnation);
            long wait = hold == null ? length : Math.max(length, hold.expiry - now);
            if (!missing.contains(Guard.QUARANTINE)) {
                hold = new Hold("", now + wait, wait);
            }
            return rollCall(wait, rank(candidate, length));
        }
        if (isHeldBack) {
            return new Wait(Duration.ofMillis(hold.expiry - now), rank(candidate, length));
        }
        if (epoch != null && closed() < token() && until() > now && !missing.contains(Guard.DELETED)) {
            long wait = until() - now;
            hold = new Hold("", until(), wait);
            return rollCall(wait, rank(candidate, length));
        }
        if (epoch == null && request.seen() == 0) {
            long wait = request.settle().toMillis() + (unchangedFor() >= length ? 0 : comeback.toMillis());
            epoch = new Epoch(0, 0, 0, 0, incarnation);
            hold = new Hold("", now + wait, wait);
            return rollCall(wait, rank(candidate, length));
        }
        long granted = Math.max(Math.max(token() + 1, request.seen() + 1), now);
        lease = new Lease(candidate, granted, now, now + length, length);
        visitor = null;
        terms.begin(leader(), Math.min(until(), now));
        epoch = new Epoch(granted, closed(), lease.expiry, length, incarnation);
        hold = null;
        line.remove(candidate.candidacy());
        publishAcquired(length);
        return granted();
    }

    public RenewReply renew(RenewRequest request) {
        expire();
        long now = millis.getAsLong();
        long length = request.lease().toMillis();
        long token = request.token().value();
        noteIncarnation(length);
        if (lease != null && (owns(request.candidate(), token) || missing.contains(Guard.OWNER))) {
            lease = new Lease(lease.candidate, lease.token, lease.since, now + length, length);
            epoch = new Epoch(token, closed(), lease.expiry, length, incarnation);
            boolean isVisited = visitor != null && visitor.until > now;
            return new RenewReply.Renewed(Instant.ofEpochMilli(lease.expiry), isVisited ? visitor.application : "");
        }
        boolean isOlder = lease != null && lease.token < token && !missing.contains(Guard.NEWER);
        if (lease != null && !isOlder) {
            return new RenewReply.Lost(held(line.size()), cooldown(token));
        }
        if (mayComeBack(token, request.expiry(), now)) {
            lease = new Lease(request.candidate(), token, request.since().toEpochMilli(), now + length, length);
            epoch = new Epoch(token, closed(), lease.expiry, length, incarnation);
            keepOut(length);
            terms.resume(leader());
            publishAcquired(length);
            return new RenewReply.Renewed(Instant.ofEpochMilli(lease.expiry));
        }
        return new RenewReply.Lost(null, cooldown(token));
    }

    public ReleaseReply release(ReleaseRequest request) {
        expire();
        long now = millis.getAsLong();
        line.remove(request.candidate().candidacy());
        ReleaseRequest.Grant grant = request.grant();
        boolean holds = lease != null
                && (missing.contains(Guard.OWNER)
                        || (grant == null
                                ? lease.candidate
                                        .candidacy()
                                        .equals(request.candidate().candidacy())
                                : owns(request.candidate(), grant.token().value())));
        boolean forgotten =
                lease == null && grant != null && mayComeBack(grant.token().value(), grant.expiry(), now);
        if (!holds && !forgotten) {
            return new ReleaseReply.NotHeld();
        }
        long freed = grant == null ? lease.token : grant.token().value();
        lease = null;
        epoch = new Epoch(Math.max(token(), freed), freed, until(), length(), noted());
        terms.end(freed, now, request.reason());
        if (forgotten) {
            keepOut(request.lease().toMillis());
        } else {
            reserve(request.successor(), request.reserve());
        }
        publish.accept(new Hint.Released(new FencingToken(freed), request.successor(), request.reserve()));
        return new ReleaseReply.Released();
    }

    public EvictReply evict(EvictRequest request) {
        expire();
        long now = millis.getAsLong();
        long token = request.token().value();
        if (lease == null || lease.token != token) {
            return new EvictReply.NotHeld();
        }
        lease = null;
        epoch = new Epoch(token(), token, until(), length(), noted());
        eviction = new Eviction(token, request.cooldown());
        terms.end(token, now, LossReason.EVICTED);
        reserve(request.successor(), request.reserve());
        publish.accept(new Hint.Released(request.token(), request.successor(), request.reserve()));
        return new EvictReply.Evicted();
    }

    public StoreView view() {
        expire();
        long now = millis.getAsLong();
        return new StoreView(
                Instant.ofEpochMilli(now),
                lease == null ? Optional.empty() : Optional.of(leader()),
                lease == null ? Duration.ZERO : Duration.ofMillis(lease.expiry - now),
                terms.seen(lease == null ? 0 : lease.token, Math.min(until(), now)));
    }

    /** The store may have lost what it acknowledged: whoever leads gets a lease to speak up, unless nobody of before can be left. */
    private void noteIncarnation(long length) {
        if (epoch == null || epoch.incarnation == incarnation) {
            return;
        }
        long longest = Math.max(length, epoch.length);
        epoch = new Epoch(epoch.token, epoch.closed, epoch.until, epoch.length, incarnation);
        if (unchangedFor() < longest && !missing.contains(Guard.INCARNATION)) {
            long now = millis.getAsLong();
            long wait = hold == null ? longest : Math.max(longest, hold.expiry - now);
            hold = new Hold("", now + wait, wait);
            publish.accept(new Hint.RollCall());
        }
    }

    private Duration cooldown(long token) {
        return eviction != null && eviction.token == token ? eviction.cooldown : null;
    }

    private void noteVisit(Candidate candidate, long length) {
        String holder = lease.candidate.application();
        String application = candidate.application();
        if (!application.isEmpty() && !holder.isEmpty() && !application.equals(holder)) {
            visitor = new Visitor(application, millis.getAsLong() + length * 3 / 2);
        }
    }

    private long unchangedFor() {
        return wasReplica ? 0 : millis.getAsLong() - startedAt;
    }

    private void keepOut(long length) {
        long now = millis.getAsLong();
        long wait = hold == null ? length : Math.max(length, hold.expiry - now);
        hold = missing.contains(Guard.AFTERMATH) ? null : new Hold("", now + wait, wait);
    }

    private void reserve(String successor, Duration reserve) {
        if (hold == null && successor != null && !reserve.isZero()) {
            hold = new Hold(successor, millis.getAsLong() + reserve.toMillis(), reserve.toMillis());
        }
    }

    private long token() {
        return epoch == null ? 0 : epoch.token;
    }

    private long closed() {
        return epoch == null ? 0 : epoch.closed;
    }

    private long until() {
        return epoch == null ? 0 : epoch.until;
    }

    private long length() {
        return epoch == null ? 0 : epoch.length;
    }

    private long noted() {
        return epoch == null ? 0 : epoch.incarnation;
    }

    private boolean owns(Candidate candidate, long token) {
        return lease.candidate.candidacy().equals(candidate.candidacy()) && lease.token == token;
    }

    private boolean mayComeBack(long token, Instant expiry, long now) {
        return (expiry.toEpochMilli() > now || missing.contains(Guard.EXPIRY))
                && (token() <= token || missing.contains(Guard.SUPERSEDED))
                && (closed() < token || missing.contains(Guard.CLOSED));
    }

    /** As Redis does it: a key lives through its last millisecond. */
    private void expire() {
        long now = millis.getAsLong();
        if (lease != null && now > lease.expiry) {
            lease = null;
        }
        if (hold != null && now > hold.expiry) {
            hold = null;
        }
        boundExpiries(now);
    }

    /** Nothing lasts for longer than it was made for, also where the clock has gone back. */
    private void boundExpiries(long now) {
        if (lease != null && lease.expiry > now + lease.length) {
            lease = new Lease(lease.candidate, lease.token, lease.since, now + lease.length, lease.length);
        }
        if (hold != null && hold.expiry > now + hold.length) {
            hold = new Hold(hold.reservedFor, now + hold.length, hold.length);
        }
        if (epoch != null && epoch.until > now + epoch.length) {
            epoch = new Epoch(epoch.token, epoch.closed, now + epoch.length, epoch.length, epoch.incarnation);
        }
    }

    private int rank(Candidate candidate, long length) {
        long now = millis.getAsLong();
        line.values().removeIf(gone -> gone <= now);
        line.replaceAll((other, gone) -> Math.min(gone, now + length * 3 / 2));
        line.put(candidate.candidacy(), now + length * 3 / 2);
        return java.util.List.copyOf(line.keySet()).indexOf(candidate.candidacy());
    }

    private Wait rollCall(long wait, int rank) {
        publish.accept(new Hint.RollCall());
        return new Wait(Duration.ofMillis(wait), rank);
    }

    private Granted granted() {
        return new Granted(
                new FencingToken(lease.token), Instant.ofEpochMilli(lease.since), Instant.ofEpochMilli(lease.expiry));
    }

    private Held held(int rank) {
        return new Held(
                leader(),
                Duration.ofMillis(Math.max(0, lease.expiry - millis.getAsLong())),
                rank,
                lease.candidate.application());
    }

    private Leader leader() {
        Candidate candidate = lease.candidate;
        return new Leader(
                candidate.node(),
                candidate.address(),
                new FencingToken(lease.token),
                Instant.ofEpochMilli(lease.since));
    }

    private void publishAcquired(long length) {
        publish.accept(new Hint.Acquired(leader(), Duration.ofMillis(length)));
    }
}
