package dev.election.redis;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.record.ElectionRecord;
import dev.election.record.ElectionRecord.Epoch;
import dev.election.record.ElectionRecord.Lease;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EvictRequest;
import dev.election.store.Incarnation;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewRequest;
import dev.election.store.StoreMoment;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** Requests that have to do with what the record says: from its holder or another, with its token or one beside it, at its ends. */
final class RandomRequests {

    static final String[] OPERATIONS = {"campaign", "renew", "release", "evict", "read"};

    private static final List<String> APPLICATIONS = List.of("", "shop", "bank");
    private static final long[] LENGTHS = {1_000, 3_000, 15_000};

    private final Random random;
    private final String election;

    /** A node each, and two candidacies of one. */
    private final List<Candidate> candidates = new ArrayList<>();

    private long now = 1_800_000_000_000L;
    private boolean nearAnEnd;
    private int incarnation = 1;
    private long startedAt = now - 100_000;

    RandomRequests(long seed, String election) {
        this.random = new Random(seed);
        this.election = election;
        for (int i = 0; i < 4; i++) {
            NodeInfo node = new NodeInfo("n" + Math.min(i, 2), "address\n" + i, oneOf(APPLICATIONS));
            candidates.add(new Candidate(election, "c" + i, node));
        }
    }

    /** Whether the last moment lies within two milliseconds of an end that the record names. */
    boolean wasNearAnEnd() {
        return nearAnEnd;
    }

    /** Time goes on, mostly to just about an end, now and then back. */
    StoreMoment next(ElectionRecord record) {
        List<Long> ends = ends(record);
        int what = random.nextInt(100);
        if (what < 45 && !ends.isEmpty()) {
            now = oneOf(ends) + random.nextInt(-2, 3);
        } else if (what < 91) {
            now += random.nextInt(20);
        } else if (what < 95) {
            now += random.nextInt(20_000);
        } else {
            now -= random.nextInt(60_000);
        }
        nearAnEnd = ends.stream().anyMatch(end -> Math.abs(end - now) <= 2);
        Duration unchanged = Duration.ofMillis(Math.max(0, now - startedAt));
        boolean tells = random.nextInt(12) > 0;
        return new StoreMoment(now, new Incarnation(tells ? incarnation() : null, unchanged));
    }

    /** The server is another one, started just now or some time ago. */
    void changeIncarnation() {
        incarnation++;
        startedAt = now - random.nextInt(5_000);
    }

    String incarnation() {
        return "i" + incarnation;
    }

    int upTo(int bound) {
        return random.nextInt(bound);
    }

    <T> T oneOf(T[] all) {
        return all[random.nextInt(all.length)];
    }

    String operation() {
        int what = random.nextInt(100);
        return what < 40 ? "campaign" : what < 65 ? "renew" : what < 84 ? "release" : what < 97 ? "evict" : "read";
    }

    CampaignRequest campaign(ElectionRecord record) {
        long stored = record.epoch() == null ? 0 : record.epoch().token();
        long seen = random.nextInt(3) == 0 ? Math.max(0, stored + random.nextInt(-1, 2)) : random.nextInt(2) * stored;
        return new CampaignRequest(
                candidate(record),
                length(),
                seen,
                random.nextInt(4) == 0 ? null : Duration.ofMillis(random.nextInt(1, 2_000)));
    }

    RenewRequest renew(ElectionRecord record) {
        return new RenewRequest(
                candidate(record),
                token(record),
                Instant.ofEpochMilli(now - random.nextInt(20_000)),
                expiry(),
                lengthOfRenewal(record));
    }

    /** From the holder of the lease, for as long as before and under the latest token. */
    RenewRequest renewByHolder(ElectionRecord record) {
        Lease lease = Objects.requireNonNull(record.lease());
        Epoch epoch = Objects.requireNonNull(record.epoch());
        Candidate holder = new Candidate(election, lease.candidacy(), lease.node());
        return new RenewRequest(
                holder,
                new FencingToken(epoch.token()),
                Instant.ofEpochMilli(lease.since()),
                expiry(),
                Duration.ofMillis(lease.length()));
    }

    ReleaseRequest release(ElectionRecord record) {
        boolean isGranted = random.nextInt(6) > 0;
        return new ReleaseRequest(
                candidate(record),
                isGranted ? new ReleaseRequest.Grant(token(record), expiry()) : null,
                length(),
                how(),
                oneOf(new LossReason[] {LossReason.ABDICATED, LossReason.PREEMPTED, LossReason.STOPPED}));
    }

    EvictRequest evict(ElectionRecord record) {
        return new EvictRequest(election, token(record), how());
    }

    private Candidate candidate(ElectionRecord record) {
        Lease lease = record.lease();
        Candidate any = oneOf(candidates);
        return lease == null || random.nextInt(5) < 2
                ? any
                : candidates.stream()
                        .filter(one -> one.candidacy().equals(lease.candidacy()))
                        .findFirst()
                        .orElse(any);
    }

    private FencingToken token(ElectionRecord record) {
        Lease lease = record.lease();
        Epoch epoch = record.epoch();
        long known = epoch != null ? Math.max(epoch.token(), epoch.closed()) : now;
        long about = lease != null && (epoch == null || random.nextInt(3) > 0) ? lease.token() : known;
        long token = random.nextInt(5) < 2 ? about : about + random.nextInt(-3, 2);
        return new FencingToken(Math.max(1, token));
    }

    private Instant expiry() {
        return Instant.ofEpochMilli(
                now + (random.nextInt(5) < 2 ? random.nextInt(-2, 3) : random.nextInt(-5_000, 15_000)));
    }

    private Duration length() {
        return Duration.ofMillis(LENGTHS[random.nextInt(LENGTHS.length)]);
    }

    /** Mostly that of the lease, as in life. */
    private Duration lengthOfRenewal(ElectionRecord record) {
        Lease lease = record.lease();
        return lease == null || random.nextInt(3) == 0 ? length() : Duration.ofMillis(lease.length());
    }

    private Abdication how() {
        Duration cooldown = Duration.ofMillis(random.nextInt(10_000));
        Abdication how = Abdication.toAnyone().coolingDownFor(cooldown);
        return random.nextBoolean()
                ? how
                : new Abdication(
                        null,
                        cooldown,
                        oneOf(candidates).node().id(),
                        Duration.ofMillis(random.nextInt(0, 5_000)),
                        random.nextBoolean() ? null : "alice at " + random.nextInt(3));
    }

    private static List<Long> ends(ElectionRecord record) {
        List<Long> ends = new ArrayList<>();
        Lease lease = record.lease();
        if (lease != null) {
            ends.add(lease.ends());
            ends.add(lease.since() + lease.length());
            if (lease.visitor() != null) {
                ends.add(lease.visitor().until());
            }
        }
        if (record.epoch() != null && record.epoch().ends() > 0) {
            ends.add(record.epoch().ends());
        }
        if (record.lockDelay() != null) {
            ends.add(record.lockDelay().ends());
        }
        record.queue().forEach(waiting -> ends.add(waiting.gone()));
        return ends;
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
