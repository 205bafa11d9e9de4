package com.example.sample.testing;

import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Three replicas at a Redis of the test's own. Each test finds three that run, and those that other tests have left do run on. */
public final class ThreeReplicas implements BeforeEachCallback, AfterAllCallback {

    private final List<SampleProcess> all = new ArrayList<>();
    private final String[] properties;
    private final RedisProcess redis = new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0));

    public ThreeReplicas(String... properties) {
        this.properties = properties;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        List<SampleProcess> fresh = Stream.generate(() -> SampleProcess.start(redis.port(), properties))
                .limit(Math.max(0, 3L - running().size()))
                .toList();
        all.addAll(fresh);
        fresh.forEach(SampleProcess::awaitResult);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        all.forEach(SampleProcess::close);
        redis.close();
    }

    /** One more. */
    public SampleProcess startAnother() {
        SampleProcess replica = SampleProcess.start(redis.port(), properties);
        all.add(replica);
        return replica;
    }

    /** Who leads, as the replicas that run have told last. */
    public Leadership leader() {
        return latest().orElseThrow(() -> new AssertionError("Nobody leads: " + all));
    }

    /** Who leads next after the leadership with this token. */
    public Leadership awaitLeaderAfter(Leadership earlier, Duration within) {
        return Awaitility.await("a leader after " + earlier)
                .atMost(within)
                .pollInterval(Duration.ofMillis(10))
                .until(this::latest, found -> found.filter(leader -> leader.token() > earlier.token())
                        .isPresent())
                .orElseThrow();
    }

    /** The replicas that run, but for this one. */
    public List<SampleProcess> others(SampleProcess than) {
        return running().stream().filter(replica -> replica != than).toList();
    }

    /** What all replicas have reported, also those that run no more. */
    public Reports reports() {
        return Reports.on(all.stream().map(SampleProcess::console).toList());
    }

    /** {@code kill -9}. */
    public void killRedis() {
        redis.kill();
    }

    /** At the same port, knowing nothing. */
    public void startEmptyRedis() {
        redis.restart();
    }

    private List<SampleProcess> running() {
        return all.stream().filter(SampleProcess::isAlive).toList();
    }

    private Optional<Leadership> latest() {
        return running().stream()
                .flatMap(replica ->
                        replica.console().all(SampleProcess.LEADS).stream().map(line -> new Leadership(replica, line)))
                .max(Comparator.comparing(Leadership::token));
    }

    /**
     * @param replica who leads
     * @param line the line that says so
     */
    public record Leadership(SampleProcess replica, Console.Line line) {

        public long token() {
            return line.token();
        }
    }
}
