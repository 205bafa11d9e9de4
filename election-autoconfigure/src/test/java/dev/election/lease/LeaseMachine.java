package dev.election.lease;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LossReason;
import dev.election.StoreView;
import dev.election.lease.CampaignReply.Granted;
import dev.election.lease.CampaignReply.Wait;
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
    private record Lease(Candidate candidate, long token, long since, long expiry) {}

    /** What stands in the hold key; {@code reservedFor} is empty for a wait that binds all. */
    private record Hold(String reservedFor, long expiry) {}

    private final LongSupplier millis;
    private final Consumer<Hint> publish;
    private final Set<Guard> missing;

    private Lease lease;
    private Hold hold;
    private boolean hasTerm;
    private long term;
    private long closed;
    private long until;
    private final Map<String, Long> line = new LinkedHashMap<>();
    private final Terms terms = new Terms();

    public LeaseMachine(LongSupplier millis, Consumer<Hint> publish) {
        this(millis, publish, EnumSet.noneOf(Guard.class));
    }

    /** One without some of its guards. */
    public LeaseMachine(LongSupplier millis, Consumer<Hint> publish, Set<Guard> missing) {
        this.millis = millis;
        this.publish = publish;
        this.missing = missing;
    }

    public void forget() {
        loseLease();
        hold = null;
        terms.forget();
        hasTerm = false;
        term = 0;
        closed = 0;
        until = 0;
        line.clear();
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
        if (lease != null && lease.candidate.candidacy().equals(candidate.candidacy())) {
            lease = new Lease(lease.candidate, lease.token, lease.since, now + length);
            until = lease.expiry;
            return granted();
        }
        if (lease != null) {
            return held(rank(candidate, length));
        }
        if (term < request.seen()) {
            long wait = hold == null ? length : Math.max(length, hold.expiry - now);
            term = request.seen();
            hasTerm = true;
            if (!missing.contains(Guard.QUARANTINE)) {
                hold = new Hold("", now + wait);
            }
            return rollCall(wait, rank(candidate, length));
        }
        if (hold != null && !hold.reservedFor.equals(candidate.node())) {
            return new Wait(Duration.ofMillis(hold.expiry - now), rank(candidate, length));
        }
        if (hasTerm && closed < term && until > now && !missing.contains(Guard.DELETED)) {
            hold = new Hold("", until);
            return rollCall(until - now, rank(candidate, length));
        }
        if (!hasTerm && request.seen() == 0) {
            hasTerm = true;
            hold = new Hold("", now + request.settle().toMillis());
            return rollCall(request.settle().toMillis(), rank(candidate, length));
        }
        term = Math.max(Math.max(term + 1, request.seen() + 1), now);
        lease = new Lease(candidate, term, now, now + length);
        terms.begin(leader(), Math.min(until, now));
        until = lease.expiry;
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
        if (lease != null && (owns(request.candidate(), token) || missing.contains(Guard.OWNER))) {
            lease = new Lease(lease.candidate, lease.token, lease.since, now + length);
            term = token;
            until = lease.expiry;
            return new RenewReply.Renewed(Instant.ofEpochMilli(lease.expiry));
        }
        if (lease != null) {
            return new RenewReply.Lost(held(line.size()));
        }
        if (mayComeBack(token, request.expiry(), now)) {
            lease = new Lease(request.candidate(), token, request.since().toEpochMilli(), now + length);
            term = token;
            hasTerm = true;
            until = lease.expiry;
            keepOut(now + length);
            terms.resume(leader());
            publishAcquired(length);
            return new RenewReply.Renewed(Instant.ofEpochMilli(lease.expiry));
        }
        return new RenewReply.Lost(null);
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
        hasTerm = true;
        term = Math.max(term, freed);
        closed = freed;
        terms.end(freed, now, request.reason());
        if (forgotten) {
            keepOut(now + request.lease().toMillis());
        } else if (hold == null
                && request.successor() != null
                && !request.reserve().isZero()) {
            hold = new Hold(request.successor(), now + request.reserve().toMillis());
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
        closed = token;
        terms.end(token, now, LossReason.EVICTED);
        if (hold == null && request.successor() != null && !request.reserve().isZero()) {
            hold = new Hold(request.successor(), now + request.reserve().toMillis());
        }
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
                terms.seen(lease == null ? 0 : lease.token, Math.min(until, now)));
    }

    private void keepOut(long end) {
        hold = missing.contains(Guard.AFTERMATH) ? null : new Hold("", end);
    }

    private boolean owns(Candidate candidate, long token) {
        return lease.candidate.candidacy().equals(candidate.candidacy()) && lease.token == token;
    }

    private boolean mayComeBack(long token, Instant expiry, long now) {
        return (expiry.toEpochMilli() > now || missing.contains(Guard.EXPIRY))
                && (term <= token || missing.contains(Guard.SUPERSEDED))
                && (closed < token || missing.contains(Guard.CLOSED));
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
    }

    private int rank(Candidate candidate, long length) {
        long now = millis.getAsLong();
        line.values().removeIf(gone -> gone <= now);
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
        return new Held(leader(), Duration.ofMillis(Math.max(0, lease.expiry - millis.getAsLong())), rank);
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
