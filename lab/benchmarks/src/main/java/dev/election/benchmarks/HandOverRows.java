package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The leader of fifty followers gives its leadership away, or its lock back. */
record HandOverRows(int number) implements Scenario {

    private static final int FOLLOWERS = 50;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final int SETTLE_SECONDS = 20;
    private static final long SECOND_MICROS = 1_000_000;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Library library : Library.values()) {
            rows.addAll(handOver(library));
        }
        return rows;
    }

    private List<Row> handOver(Library library) throws IOException, InterruptedException {
        String what = number + ": hand-over with " + FOLLOWERS + " followers, " + library.title() + ": ";
        try (Lab lab = new Lab(Contestant.CROWD)) {
            Crowd crowd = new Crowd(lab, library, LEASE, 1);
            crowd.openFollowers(FOLLOWERS, FOLLOWERS);
            crowd.startFollowers(Duration.ofSeconds(30));
            TimeUnit.SECONDS.sleep(SETTLE_SECONDS);
            try (Monitor monitor = new Monitor(lab.redis().port())) {
                long begin = monitor.mark();
                crowd.leader().ask("abdicate", "ABDICATED");
                while (monitor.mark() < begin + SECOND_MICROS) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                if (crowd.tally().led() != 1) {
                    throw new IllegalStateException("Nobody leads after the hand-over");
                }
                List<Row> rows = new ArrayList<>();
                if (library == Library.ELECTION) {
                    long campaigns = monitor.between(begin, begin + SECOND_MICROS).stream()
                            .filter(Call::isCampaign)
                            .count();
                    rows.add(new Row(what + "campaigns in the first second", "<= 4", Long.toString(campaigns)));
                }
                int requests = monitor.requests(begin, begin + SECOND_MICROS).size();
                rows.add(new Row(what + "requests in the first second", "-", Integer.toString(requests)));
                return rows;
            }
        }
    }
}
