package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.LoggedLines;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counts the log lines of one node whose Redis goes away and comes back. */
@RealTime
class OutageLogTest {

    /** Redis must be back within less than half of it. */
    private static final Duration LEASE = Duration.ofSeconds(12);

    /** Its end is waited for, and no pause of the machine ends the leaderships that come after it. */
    private static final Duration SHORT_LEASE = Duration.ofSeconds(6);

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    @AutoClose
    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @ParameterizedTest
    @ValueSource(ints = {1, 21, 1000})
    void an_outage_that_costs_no_leadership_is_two_lines_and_the_risk_two_more(int elections) {
        try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(redis.uri()), "outage", LEASE);
                ElectionEngine engine = engine(store, elections, LEASE)) {
            lead(engine);
            log.clear();
            redis.kill();
            Nodes.await("leases at risk")
                    .until(() -> log.withLevels().stream().anyMatch(line -> line.contains("for half of the lease")));
            redis.restart();
            Nodes.await("the end of the risk")
                    .until(() -> log.withLevels().stream().anyMatch(line -> line.contains("has renewed its lease")));
            Nodes.await("answers")
                    .until(() -> log.withLevels().stream().anyMatch(line -> line.contains("replies again")));
            assertThat(engine.all()).allMatch(Election::isLeader);
            assertThat(log.withLevels())
                    .as("lines of an outage with %d elections", elections)
                    .satisfiesExactlyInAnyOrder(
                            line -> assertThat(line)
                                    .startsWith("WARN No usable reply from Redis (127.0.0.1:"
                                            + redis.uri().getPort()
                                            + "), database 0, key prefix 'outage': the store can't be reached")
                                    .contains("Elections of app that use it: " + elections + "."),
                            line -> assertThat(line).startsWith("WARN app has not renewed its lease"),
                            line -> assertThat(line)
                                    .startsWith("INFO Redis (127.0.0.1:")
                                    .contains(" replies again after ")
                                    .endsWith("were affected: " + elections + " of " + elections),
                            line -> assertThat(line).startsWith("INFO app has renewed its lease"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 21})
    void a_redis_that_hangs_for_longer_than_the_lease_adds_lines_about_the_leaderships_that_are_lost_and_won(
            int elections) {
        try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(redis.uri()), "outage", SHORT_LEASE);
                ElectionEngine engine = engine(store, elections, SHORT_LEASE)) {
            lead(engine);
            log.clear();
            redis.freeze();
            Nodes.await("no leader").until(() -> engine.all().stream().noneMatch(Election::isLeader));
            redis.thaw();
            Nodes.await("leaders").until(() -> engine.all().stream().allMatch(Election::isLeader));
            Nodes.await("answers")
                    .until(() -> log.withLevels().stream().anyMatch(line -> line.contains("replies again")));
            Nodes.await("all that is to be said").until(() -> elections("INFO app leads ") == elections);
            assertThat(elections("WARN app no longer leads ")).isEqualTo(elections);
            // One for the first, and one for those that follow within a second.
            assertThat(lines("WARN app no longer leads ") + lines("INFO app leads "))
                    .as("lines about leaderships")
                    .isLessThan(elections == 1 ? 3 : elections);
            assertThat(log.withLevels())
                    .filteredOn(line ->
                            !line.startsWith("WARN app no longer leads ") && !line.startsWith("INFO app leads "))
                    .satisfiesExactlyInAnyOrder(
                            line -> assertThat(line).startsWith("WARN No usable reply from Redis"),
                            line -> assertThat(line).startsWith("WARN app has not renewed its lease"),
                            line -> assertThat(line).startsWith("INFO Redis").contains(" replies again"));
        }
    }

    private static ElectionEngine engine(RedisLeaseStore store, int elections, Duration lease) {
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo("app", "app:80"))
                .timing(new Timing(lease, lease.dividedBy(3), Duration.ofSeconds(1)))
                .build();
        IntStream.range(0, elections).forEach(i -> engine.get("e" + i));
        return engine;
    }

    private void lead(ElectionEngine engine) {
        engine.start();
        int all = engine.all().size();
        Nodes.await("leaders").until(() -> engine.all().stream().allMatch(Election::isLeader));
        Nodes.await("all of it is said").until(() -> elections("INFO app leads ") == all);
    }

    private long lines(String beginning) {
        return log.withLevels().stream()
                .filter(line -> line.startsWith(beginning))
                .count();
    }

    /** How many elections the lines are about that begin so. */
    private long elections(String beginning) {
        return log.withLevels().stream()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .mapToLong(rest ->
                        rest.startsWith("the election") ? 1 : Long.parseLong(rest.substring(0, rest.indexOf(' '))))
                .sum();
    }
}
