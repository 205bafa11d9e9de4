package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.RenewReply;
import dev.election.store.test.EvictionContract;
import dev.election.store.test.HistoryContract;
import dev.election.store.test.IncarnationContract;
import dev.election.store.test.LeaseStoreContract;
import dev.election.store.test.MessagingContract;
import dev.election.store.test.SuccessionContract;
import dev.election.testing.AnyRedis;
import dev.election.testing.Nodes;
import io.lettuce.core.Range;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract over Redis, wherever that comes from. Its tests wait for leases, several at the same time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
abstract class RedisContract extends LeaseStoreContract
        implements IncarnationContract, SuccessionContract, HistoryContract, EvictionContract, MessagingContract {

    /** The lease of the store: a reply counts as lost after that. */
    static final Duration TIMEOUT = LONG_LEASE;

    private static final ElectionKeys KEYS = new ElectionKeys("contract");

    private AnyRedis redis;
    private RedisLeaseStore store;

    /** The scripts to use. */
    ScriptSet scripts() {
        return ScriptSet.load();
    }

    /** Before all tests on it. */
    final void open(AnyRedis redis) {
        this.redis = redis;
        store = new RedisLeaseStore(
                redis.access(),
                TIMEOUT,
                RedisSettings.of(RedisKeySpace.of("contract")).history(HISTORY),
                scripts());
        // In a Cluster the first request to each node opens a connection, which takes its time, and on a busy machine
        // another attempt.
        for (int i = 0; i < 50; i++) {
            hand().time();
            Candidate candidate = new Candidate("warm-up-" + i, "w", new NodeInfo("w", "w"));
            Nodes.await("an answer")
                    .until(() -> !(ask(store.campaign(new CampaignRequest(candidate, LEASE, 0, Duration.ofMillis(1))))
                            instanceof NoAnswer));
        }
        // Whole seconds, and rounded: a server is as old as a lease from the second on that its start is two behind.
        long age = LEASE.toSeconds() + 2;
        pass(Duration.ofSeconds(Math.max(0, age - uptime())));
    }

    /** After all tests. */
    final void close() {
        store.close();
        redis.close();
    }

    @Test
    void candidates_of_whom_the_store_has_lost_when_they_are_gone_leave_the_line() {
        lead(candidate("leader"), LONG_LEASE);
        Candidate gone = candidate("gone");
        Candidate there = candidate("there");
        assertThat(rank(campaign(gone, LONG_LEASE, 0))).isZero();
        pass(Duration.ofMillis(2));
        assertThat(rank(campaign(there, LONG_LEASE, 0))).isEqualTo(1);
        hand().del(KEYS.queueExpiry(election()));
        assertThat(rank(campaign(there, LONG_LEASE, 0))).isZero();
    }

    @Test
    void a_thousand_candidates_that_are_gone_leave_the_line_within_ten_campaigns() {
        lead(candidate("leader"), LONG_LEASE);
        queue(1_000, 1);
        Candidate there = candidate("there");
        for (int campaign = 1; campaign < 10; campaign++) {
            campaign(there);
        }
        assertThat(rank(campaign(there))).isZero();
    }

    @Test
    void a_thousand_candidates_can_leave_the_line_after_ten_campaigns_when_the_clock_has_gone_back() {
        lead(candidate("leader"), LONG_LEASE);
        long inAnHour = now() + Duration.ofHours(1).toMillis();
        queue(1_000, inAnHour);
        Candidate there = candidate("there");
        for (int campaign = 1; campaign <= 10; campaign++) {
            campaign(there);
        }
        Range<Long> tooLate = Range.create(now() + LEASE.toMillis() * 3 + 1, Long.MAX_VALUE);
        assertThat(hand().zcount(KEYS.queueExpiry(election()), tooLate)).isZero();
    }

    /** Adds so many candidates to the queue, all of which count as gone then. */
    private void queue(int size, long gone) {
        for (int i = 1; i <= size; i++) {
            hand().zadd(KEYS.queue(election()), i, "queued" + i);
            hand().zadd(KEYS.queueExpiry(election()), gone, "queued" + i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nan", "soon"})
    void a_lease_that_somebody_has_robbed_of_its_end_and_its_expiry_ends_after_a_lease(String end) {
        lead(candidate("robbed"), LONG_LEASE);
        shortenLease();
        String lease = KEYS.lease(election());
        if (end.isEmpty()) {
            hand().hdel(lease, "until");
        } else {
            hand().hset(lease, "until", end);
        }
        hand().persist(lease);
        assertThat(campaign(candidate("other"))).isInstanceOf(Held.class);
        pass(LEASE.plusMillis(2));
        assertThat(campaign(candidate("other"))).isInstanceOf(CampaignReply.Granted.class);
    }

    /** As if it had been granted for {@link #LEASE}, but for its own end, which is left to be spoilt at any time. */
    private void shortenLease() {
        String length = Long.toString(LEASE.toMillis());
        hand().hset(KEYS.lease(election()), "lease", length);
        hand().hset(KEYS.epoch(election()), Map.of("lease", length, "until", Long.toString(now() + LEASE.toMillis())));
    }

    @ParameterizedTest
    @CsvSource({"lease, lease", "epoch, token", "epoch, lease", "epoch, format"})
    void a_renewal_writes_anew_what_somebody_has_robbed_or_spoilt(String of, String field) {
        Candidate leader = candidate("leader");
        CampaignReply.Granted grant = lead(leader, LONG_LEASE);
        String key = of.equals("lease") ? KEYS.lease(election()) : KEYS.epoch(election());
        String written = hand().hget(key, field);
        hand().hset(key, field, "soon");
        assertThat(renew(leader, grant, LONG_LEASE)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(hand().hget(key, field)).as("spoilt").isEqualTo(written);
        hand().hdel(key, field);
        assertThat(renew(leader, grant, LONG_LEASE)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(hand().hget(key, field)).as("robbed").isEqualTo(written);
    }

    @Test
    void a_renewal_brings_back_a_lease_that_somebody_has_robbed_of_its_node() {
        Candidate leader = candidate("leader");
        CampaignReply.Granted grant = lead(leader, LONG_LEASE);
        String lease = KEYS.lease(election());
        String written = hand().hget(lease, "node");
        hand().hdel(lease, "node");
        assertThat(renew(leader, grant, LONG_LEASE)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(hand().hget(lease, "node")).isEqualTo(written);
    }

    @Test
    void a_lease_under_another_token_than_the_granted_one_is_not_extended() {
        Candidate leader = candidate("leader");
        CampaignReply.Granted grant = lead(leader, LONG_LEASE);
        hand().hset(KEYS.lease(election()), "token", Long.toString(grant.token().value() + 1));
        assertThat(renew(leader, grant, LONG_LEASE)).isInstanceOf(RenewReply.Lost.class);
    }

    @Test
    void a_lease_that_has_ended_is_not_extended_although_its_key_is_still_there() {
        Candidate leader = candidate("leader");
        CampaignReply.Granted grant = lead(leader, LONG_LEASE);
        Instant end = grant.since();
        hand().hset(KEYS.lease(election()), "until", Long.toString(end.toEpochMilli()));
        pass(Duration.ofMillis(2));
        CampaignReply.Granted ended = new CampaignReply.Granted(grant.token(), grant.since(), end);
        assertThat(renew(leader, ended, LONG_LEASE)).isInstanceOf(RenewReply.Lost.class);
    }

    @Test
    void a_renewal_notes_that_another_incarnation_has_written_the_record() {
        Candidate leader = candidate("leader");
        CampaignReply.Granted grant = lead(leader, LONG_LEASE);
        String written = hand().hget(KEYS.epoch(election()), "incarnation");
        changeIncarnation();
        assertThat(renew(leader, grant, LONG_LEASE)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(hand().hget(KEYS.epoch(election()), "incarnation")).isEqualTo(written);
    }

    @Test
    void a_renewal_deletes_a_lock_delay_that_has_ended_although_its_key_is_still_there() {
        Candidate leader = candidate("leader");
        CampaignReply.Granted grant = lead(leader, LONG_LEASE);
        hand().set(KEYS.lockDelay(election()), "1 1 forgotten");
        assertThat(renew(leader, grant, LONG_LEASE)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(hand().get(KEYS.lockDelay(election()))).isNull();
    }

    @Test
    void whoever_reads_or_renews_a_record_in_a_newer_format_is_told_so_whatever_the_format_keeps_in_the_keys() {
        Candidate leader = candidate("leader");
        CampaignReply.Granted grant = lead(leader, LONG_LEASE);
        hand().hset(KEYS.epoch(election()), "format", "2");
        hand().del(KEYS.lease(election()));
        hand().set(KEYS.lease(election()), "in another way");
        hand().hset(KEYS.lockDelay(election()), "in", "another way");
        for (Object reply : List.of(renew(leader, grant, LONG_LEASE), ask(store.read(election())))) {
            assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> assertThat(none.problem())
                    .isEqualTo(StoreProblem.NEWER_FORMAT));
        }
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public void forget() {
        hand().del(KEYS.all(election()));
    }

    @Override
    public Runnable save() {
        Map<String, byte[]> dumps = new HashMap<>();
        Map<String, Long> lives = new HashMap<>();
        for (String key : KEYS.all(election())) {
            byte[] dump = hand().dump(key);
            if (dump != null) {
                dumps.put(key, dump);
                lives.put(key, Math.max(0, hand().pttl(key)));
            }
        }
        return () -> {
            hand().del(KEYS.all(election()));
            dumps.forEach((key, dump) -> hand().restore(key, lives.get(key), dump));
        };
    }

    @Override
    public void loseLease() {
        hand().del(KEYS.lease(election()));
    }

    /** Asks the server's own clock, so that a slow machine makes no difference. */
    @Override
    public void pass(Duration time) {
        long until = now() + time.toMillis();
        for (long left = time.toMillis(); left > 0; left = until - now()) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(left));
        }
    }

    @Override
    public void changeIncarnation() {
        hand().hset(KEYS.epoch(election()), "incarnation", "of another server");
    }

    @Override
    public Duration leaseOlderThanTheServer() {
        return Duration.ofSeconds(uptime() + 60);
    }

    /** As much further off is all that is to expire. */
    @Override
    public void turnClockBack(Duration time) {
        later(KEYS.lease(election()), time);
        String delay = KEYS.lockDelay(election());
        String before = hand().get(delay);
        if (before != null) {
            String[] endAndRest = before.split(" ", 2);
            long end = Long.parseLong(endAndRest[0]) + time.toMillis();
            hand().psetex(delay, hand().pttl(delay) + time.toMillis(), end + " " + endAndRest[1]);
        }
        later(KEYS.epoch(election()), time);
        String expiries = KEYS.queueExpiry(election());
        hand().zrange(expiries, 0, -1).forEach(candidacy -> hand().zincrby(expiries, time.toMillis(), candidacy));
    }

    /** What the key tells of its end lies that much further ahead, and so does its expiry if it has one. */
    private void later(String key, Duration time) {
        String until = hand().hget(key, "until");
        if (until != null) {
            hand().hset(key, "until", Long.toString(Long.parseLong(until) + time.toMillis()));
            long left = hand().pttl(key);
            if (left > 0) {
                hand().pexpire(key, left + time.toMillis());
            }
        }
    }

    /** Of any server of a Cluster: they were started together. */
    private long uptime() {
        return hand().info("server")
                .lines()
                .filter(line -> line.startsWith("uptime_in_seconds:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .min()
                .orElseThrow();
    }

    private long now() {
        List<String> time = hand().time();
        return Long.parseLong(time.get(0)) * 1000 + Long.parseLong(time.get(1)) / 1000;
    }

    private RedisClusterCommands<String, String> hand() {
        return redis.hand();
    }
}
