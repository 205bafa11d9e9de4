package dev.election.spring.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import dev.election.Recover;
import dev.election.ScheduledSlot;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.RedisLeaseStore;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Scheduled;

/** What the next leader runs late when a real Redis has kept, lost or brought back what was recorded. */
@RealTime
class LedgerInRedisTest {

    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_6_2);
    private final RedisLeaseStore firstStore = store();
    private final RedisLeaseStore secondStore = store();
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final JobNode first = new JobNode(firstStore.ledgerStore().orElseThrow(), NOON, new EachMinute());
    private final JobNode second = new JobNode(secondStore.ledgerStore().orElseThrow(), NOON, new EachMinute());

    @AfterEach
    void close() {
        first.close();
        second.close();
        firstStore.close();
        secondStore.close();
        redis.close();
    }

    @Test
    void missed_slots_are_run_from_what_is_recorded() {
        leadUntilThreeMinutesPast();
        // In real time the ledger was begun a moment ago.
        long hourAgo = Instant.now().minus(Duration.ofHours(1)).toEpochMilli();
        redis.call(commands -> commands.hset("jobs:{default}:log", "since", Long.toString(hourAgo)));
        first.kill();
        pass(second, Duration.ofMinutes(5));

        takeOver();

        assertThat(ran).containsExactly("12:01", "12:02", "12:03", "12:04 late", "12:05 late");
    }

    @Test
    void slots_that_an_old_copy_does_not_know_to_have_run_are_lost_and_not_run_again() {
        first.lead(1);
        runMinute(1);
        awaitEndRecorded();
        redis.call(commands -> commands.save());
        runMinute(2);
        runMinute(3);
        first.kill();
        redis.kill();
        redis.restart();
        pass(second, Duration.ofMinutes(4));

        takeOver();

        assertThat(ran).containsExactly("12:01", "12:02", "12:03");
        assertThat(second.observed).containsExactly("lost 3 of jobs.run");
        pass(second, Duration.ofMinutes(1));
        assertThat(ran).last().isEqualTo("12:05");
    }

    @Test
    void an_empty_redis_proves_nothing() {
        leadUntilThreeMinutesPast();
        first.kill();
        redis.kill();
        redis.restart();
        pass(second, Duration.ofMinutes(4));

        takeOver();

        assertThat(ran).containsExactly("12:01", "12:02", "12:03");
    }

    @Test
    void a_living_leader_writes_its_claims_again_into_an_empty_redis() {
        leadUntilThreeMinutesPast();
        awaitEndRecorded();
        redis.call(commands -> commands.flushall());
        // The claim finds no ledger, which is written again with it.
        runMinute(4);
        awaitEndRecorded();
        first.kill();
        pass(second, Duration.ofMinutes(4));

        takeOver();

        assertThat(ran).containsExactly("12:01", "12:02", "12:03", "12:04");
        assertThat(second.observed).isEmpty();
    }

    private void leadUntilThreeMinutesPast() {
        first.lead(1);
        runMinute(1);
        runMinute(2);
        runMinute(3);
    }

    /** The ledger is opened and its schedule recorded, or the slot is run as a missed one. */
    private void runMinute(int minute) {
        String slot = "12:0" + minute;
        Awaitility.await("opened").until(() -> {
            first.scheduler.advance(Duration.ZERO);
            return first.isOpen();
        });
        first.scheduler.advanceTo(NOON.plus(Duration.ofMinutes(minute)));
        assertThat(ran).contains(slot);
    }

    /** A claim is recorded before the run, and makes way for its record. */
    private void awaitEndRecorded() {
        Awaitility.await("the end of the run is recorded")
                .until(() -> redis.call(commands -> commands.hkeys("jobs:{default}:log")).stream()
                        .noneMatch(name -> name.contains("/claimed/") || name.contains("/running/")));
    }

    private void takeOver() {
        second.lead(2);
        Awaitility.await("all missed slots run").until(() -> {
            second.scheduler.advance(Duration.ZERO);
            return second.isOpen();
        });
    }

    private static void pass(JobNode node, Duration time) {
        node.scheduler.advance(time);
    }

    private RedisLeaseStore store() {
        return RedisLeaseStore.open(RedisAccess.at(redis.uri()), "jobs", Duration.ofSeconds(15));
    }

    class EachMinute {

        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m", recover = Recover.EVERY)
        public void run() {
            ScheduledSlot slot = ScheduledSlot.current().orElseThrow();
            ran.add(slot.scheduledAt().toString().substring(11, 16) + (slot.isRecovery() ? " late" : ""));
        }
    }
}
