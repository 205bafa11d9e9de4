package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How evenly four hundred followers spread their requests. */
record BurstRows(int number) implements Scenario {

    private static final int FOLLOWERS = 400;
    private static final int A_PROCESS = 200;
    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final int SETTLE_SECONDS = 20;
    private static final int SECONDS = 20;
    private static final int SLOT_MICROS = 10_000;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab(Contestant.CROWD)) {
            Crowd crowd = new Crowd(lab, Library.ELECTION, LEASE, 1);
            crowd.openFollowers(FOLLOWERS, A_PROCESS);
            crowd.startFollowers(Duration.ofMinutes(1));
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            try (Monitor monitor = new Monitor(lab.redis().port())) {
                long begin = monitor.mark();
                TimeUnit.SECONDS.sleep(SECONDS);
                long end = monitor.mark();
                long[] slots = new long[(int) ((end - begin) / SLOT_MICROS)];
                long until = begin + (long) slots.length * SLOT_MICROS;
                List<Call> requests = monitor.requests(begin, until);
                requests.forEach(request -> slots[(int) ((request.micros() - begin) / SLOT_MICROS)]++);
                // Those without any say nothing of how the others come.
                long[] used =
                        Arrays.stream(slots).filter(slot -> slot > 0).sorted().toArray();
                long common = used[(int) Math.ceil(0.99 * used.length) - 1];
                return List.of(new Row(
                        number + ": " + FOLLOWERS + " followers of an election, lease " + LEASE.toSeconds()
                                + " s: requests in 10 ms, p99 of the intervals with any",
                        "<= 10",
                        String.format(
                                Locale.ROOT,
                                "%d; max %d, %.1f/s over %d s",
                                common,
                                used[used.length - 1],
                                requests.size() / ((until - begin) / 1e6),
                                SECONDS)));
            }
        }
    }
}
