package dev.election.browser;

import dev.election.harness.Children;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.TemporaryFolders;
import dev.election.testing.Excluded;
import java.util.ArrayList;
import java.util.List;

/** Replicas of one application at a Redis of their own. */
final class Replicas implements AutoCloseable {

    private final RedisProcess redis = new RedisProcess(
            RedisSettings.in(TemporaryFolders.create("election-browser-"), Children.OF_THIS_JVM, List.of()));
    private final List<ReplicaProcess> all = new ArrayList<>();

    /** Whoever may reach it may do everything. */
    ReplicaProcess start(String id, String... properties) {
        List<String> more = new ArrayList<>(List.of(properties));
        more.add("spring.autoconfigure.exclude=" + Excluded.SECURITY);
        return startSecured(id, more.toArray(String[]::new));
    }

    /** Spring Security asks who it is. */
    ReplicaProcess startSecured(String id, String... properties) {
        ReplicaProcess replica = new ReplicaProcess(id, redis.port(), properties);
        all.add(replica);
        return replica;
    }

    RedisProcess redis() {
        return redis;
    }

    @Override
    public void close() {
        all.forEach(ReplicaProcess::kill);
        redis.close();
    }
}
