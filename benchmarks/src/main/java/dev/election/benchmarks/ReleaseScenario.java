package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** From just before the leader abdicates until a node in another process leads. */
final class ReleaseScenario implements Scenario {

    private static final int WARM_UP = 20;
    private static final int ROUNDS = 200;
    private static final int COOLDOWN_MILLIS = 200;

    private final Samples coldPoll = new Samples();
    private final Samples poll = new Samples();
    private final Samples listener = new Samples();
    private final Samples ping = new Samples();

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        try (Lab lab = new Lab();
                BareSocket bare = new BareSocket(lab.redis().port())) {
            Cluster cluster = new Cluster(lab, 3, Duration.ofSeconds(5), Observation.WATCH);
            Random random = new Random(1);
            for (int round = 0; round < WARM_UP + ROUNDS; round++) {
                // Until the node that abdicated last is back in line; spread, so that renewals fall anywhere.
                int pause = COOLDOWN_MILLIS + 150 + random.nextInt(200);
                TimeUnit.MILLISECONDS.sleep(pause / 2);
                ping.add(bare.ping());
                TimeUnit.MILLISECONDS.sleep(pause / 2);
                round(lab, cluster, round < WARM_UP);
            }
        }
        List<Row> rows = new ArrayList<>();
        String target = "median <= 2 ms, max <= 15 ms";
        rows.add(new Row("release -> `isLeader()` in another process", target, poll.toString()));
        rows.add(new Row("release -> `onAcquired` in another process", target, listener.toString()));
        rows.add(new Row("a `PING` to Redis over a bare socket, half-way between two rounds", "-", ping.toString()));
        rows.add(new Row("the same as the first, the " + WARM_UP + " cold rounds before", "-", coldPoll.toString()));
        return rows;
    }

    private void round(Lab lab, Cluster cluster, boolean cold) throws IOException, InterruptedException {
        NodeProcess leader = cluster.leader();
        int begin = lab.journal().end();
        long released =
                leader.ask("abdicate default " + COOLDOWN_MILLIS, "ABDICATED").number(0);
        long leads = cluster.awaitOther(begin, leader, "LEADS").number(1);
        long heard = cluster.awaitOther(begin, leader, "ACQUIRED").number(0);
        (cold ? coldPoll : poll).add(leads - released);
        if (!cold) {
            listener.add(heard - released);
        }
    }
}
