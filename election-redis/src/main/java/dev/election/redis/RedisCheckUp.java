package dev.election.redis;

import static dev.election.redis.ServerInfo.value;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Examines a server once, by a few requests. Of a Cluster it sees one node. */
final class RedisCheckUp {

    private static final int SAMPLES = 5;

    private final RedisClusterAsyncCommands<String, String> redis;
    private final Supplier<CompletionStage<ScriptProbe>> probe;

    /**
     * @param redis a connection
     * @param probe finds out which commands of the server scripts may run
     */
    RedisCheckUp(RedisClusterAsyncCommands<String, String> redis, Supplier<CompletionStage<ScriptProbe>> probe) {
        this.redis = redis;
        this.probe = probe;
    }

    CompletionStage<RedisVitals> run() {
        return sample(SAMPLES, null).thenCompose(clock -> probe.get()
                .thenCompose(asked -> info("memory").thenCompose(memory -> info("server")
                        .thenCombine(
                                info("replication"),
                                (server, replication) -> vitals(clock, asked, memory, server, replication)))));
    }

    private static RedisVitals vitals(Sample clock, ScriptProbe asked, String memory, String server, String told) {
        // A user who may not run INFO may have scripts that do.
        String replication = told.isEmpty() ? asked.replication() : told;
        boolean hasReplicas = value(replication, "connected_slaves")
                .filter(count -> !count.equals("0"))
                .isPresent();
        // INFO has this field only if min-replicas-to-write is set.
        boolean needsReplicas = value(replication, "min_slaves_good_slaves").isPresent();
        return new RedisVitals(
                ServerInfo.product(server.isEmpty() ? asked.server() : server),
                clock.roundTrip,
                clock.ahead,
                value(memory, "maxmemory_policy"),
                ServerInfo.isReplica(replication),
                ServerInfo.isActiveReplica(replication),
                asked.refused(),
                value(asked.server(), "run_id").isPresent()
                        && value(asked.replication(), "master_replid").isPresent(),
                hasReplicas && !needsReplicas);
    }

    /** Returns the fastest sample, which has the least noise. */
    private CompletionStage<Sample> sample(int left, @Nullable Sample best) {
        return left == 0 && best != null
                ? CompletableFuture.completedFuture(best)
                : sample().thenCompose(next ->
                        sample(left - 1, best == null || next.roundTrip.compareTo(best.roundTrip) < 0 ? next : best));
    }

    private CompletionStage<Sample> sample() {
        long sentAt = System.nanoTime();
        Instant sent = Instant.now();
        return redis.time().thenApply(time -> {
            Duration roundTrip = Duration.ofNanos(System.nanoTime() - sentAt);
            return new Sample(roundTrip, Duration.between(sent.plus(roundTrip.dividedBy(2)), instant(time)));
        });
    }

    /** Reads a section of INFO; empty for a user who may not. */
    private CompletionStage<String> info(String section) {
        return redis.info(section).exceptionally(refused -> "");
    }

    private static Instant instant(List<String> time) {
        return Instant.ofEpochSecond(Long.parseLong(time.get(0)), Long.parseLong(time.get(1)) * 1000);
    }

    private record Sample(Duration roundTrip, Duration ahead) {}
}
