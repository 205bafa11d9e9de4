package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The requests of a whole, idle application that leads many elections and has no jobs. */
record ApplicationRows(int number) implements Scenario {

    private static final int PATIENCE_SECONDS = 60;
    private static final int SETTLE_SECONDS = 20;

    /** Ledgers are looked at once a minute. */
    private static final int SECONDS = 120;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab(Contestant.APPLICATION)) {
            lab.launch("n0", Rates.LEASE);
            awaitLed(lab.redis());
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            return List.of(new Row(
                    number + ": an application with " + ApplicationNode.ELECTIONS
                            + " elections and a Quartz scheduler, without jobs, lease " + Rates.LEASE.toSeconds()
                            + " s: requests",
                    "<= 0.4/s",
                    requests(lab.redis())));
        }
    }

    private static void awaitLed(ObservedRedis redis) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (redis.observe(commands -> commands.keys("bench:*:lease")).size() < ApplicationNode.ELECTIONS) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("Not all elections are led within " + PATIENCE_SECONDS + " s");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static String requests(ObservedRedis redis) throws IOException, InterruptedException {
        CommandCount count = redis.observe(commands -> CommandCount.during(commands, Duration.ofSeconds(SECONDS)));
        // A look at ledgers is seldom.
        Set<String> calledByScripts = new HashSet<>(CommandCount.calledByOurScripts());
        calledByScripts.addAll(Rates.calledByScripts(redis));
        Map<String, Long> sent = count.without(calledByScripts);
        double all = sent.values().stream().mapToLong(Long::longValue).sum();
        return String.format(Locale.ROOT, "%.2f/s over %d s: %s", all / SECONDS, SECONDS, sent);
    }
}
