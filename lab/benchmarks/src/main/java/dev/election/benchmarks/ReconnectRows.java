package dev.election.benchmarks;

import io.lettuce.core.KillArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A thousand followers of an election: their start, and the end of all connections at once. */
record ReconnectRows(int number) implements Scenario {

    private static final int FOLLOWERS = 1000;
    private static final int A_PROCESS = 250;

    /** One for requests and one for events. */
    private static final int CONNECTIONS = 2;

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int WATCHED_SECONDS = 8;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab(Contestant.CROWD)) {
            ObservedRedis redis = lab.redis();
            Crowd crowd = new Crowd(lab, Library.ELECTION, LEASE, 1);
            crowd.openFollowers(FOLLOWERS, A_PROCESS);
            Traffic before = Traffic.read(redis);
            int settled = crowd.startFollowers(PATIENCE);
            TimeUnit.SECONDS.sleep(WATCHED_SECONDS);
            Traffic started = Traffic.read(redis).since(before);
            String what = number + ": " + FOLLOWERS + " followers of an election, lease " + LEASE.toSeconds() + " s";
            String until = ", until all know the leader and " + WATCHED_SECONDS + " s more";
            Traffic steady = redis.observe(ReconnectRows::killAll);
            TimeUnit.SECONDS.sleep(WATCHED_SECONDS);
            Traffic reconnected = Traffic.read(redis).since(steady);
            String after = ", all connections killed, " + WATCHED_SECONDS + " s after that: ";
            return List.of(
                    new Row(
                            what + ", start" + until + ": bytes from Redis",
                            "<= 3 MB",
                            Traffic.megabytes(started.out())),
                    new Row(
                            what + ", start" + until + ": connections made, of those needed",
                            "<= 1.2 times",
                            made(started, FOLLOWERS) + "; " + settled + " know the leader"),
                    new Row(what + after + "bytes from Redis", "<= 2 MB", Traffic.megabytes(reconnected.out())),
                    new Row(
                            what + after + "connections made, of those needed",
                            "<= 1.2 times",
                            made(reconnected, FOLLOWERS + 1)),
                    new Row(
                            what + ": leaderships lost",
                            "0",
                            Long.toString(crowd.tally().lost())));
        }
    }

    /** All but that of the observer itself, which Redis leaves out. Returns what has gone through before. */
    private static Traffic killAll(RedisCommands<String, String> redis) {
        Traffic before = Traffic.read(redis);
        long killed = redis.clientKill(KillArgs.Builder.typeNormal()) + redis.clientKill(KillArgs.Builder.typePubsub());
        if (killed < (long) CONNECTIONS * FOLLOWERS / 2) {
            throw new IllegalStateException("Only " + killed + " connections to kill");
        }
        return before;
    }

    private static String made(Traffic traffic, int nodes) {
        int needed = CONNECTIONS * nodes;
        return String.format(
                Locale.ROOT, "%.2f times (%d of %d)", (double) traffic.hellos() / needed, traffic.hellos(), needed);
    }
}
