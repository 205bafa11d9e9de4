package dev.election.benchmarks;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** From just before the leader abdicates until a node in another process leads: with one successor, and with two. */
final class ReleaseScenario implements Scenario {

    private static final int COLD = 20;
    private static final int WARM_UP = 1_000;
    private static final int ROUNDS = 200;
    private static final int COOLDOWN_MILLIS = 200;
    private static final int SHORT_COOLDOWN_MILLIS = 20;

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (int nodes : new int[] {2, 3}) {
            rows.addAll(new Series(nodes, Contestant.ELECTION).run().rows());
            rows.add(new Series(nodes, Contestant.LOCK_REGISTRY).run().rowToCompareWith());
        }
        return rows;
    }

    /** So many rounds among so many nodes. */
    private static final class Series {

        private final int nodes;
        private final Contestant contestant;
        private final Samples cold = new Samples();
        private final Samples leading = new Samples();
        private final Samples undisturbed = new Samples();
        private final Samples waiting = new Samples();
        private final Samples listener = new Samples();
        private final Samples ping = new Samples();

        private Series(int nodes, Contestant contestant) {
            this.nodes = nodes;
            this.contestant = contestant;
        }

        private Series run() throws IOException, InterruptedException {
            try (Lab lab = new Lab(contestant);
                    BareSocket bare = new BareSocket(lab.redis().port())) {
                Cluster cluster = new Cluster(lab, nodes, Duration.ofSeconds(5), Observation.WATCH);
                Random random = new Random(1);
                for (int round = 0; round < COLD; round++) {
                    pause(bare, random);
                    cold.add(round(lab, cluster, COOLDOWN_MILLIS).toLead());
                }
                for (int round = 0; round < WARM_UP; round++) {
                    warmUp(lab, cluster);
                }
                for (int round = 0; round < ROUNDS; round++) {
                    pause(bare, random);
                    count(round(lab, cluster, COOLDOWN_MILLIS));
                }
            }
            return this;
        }

        /** Until the node that abdicated last is back in the queue; spread, so that renewals fall anywhere. */
        private void pause(BareSocket bare, Random random) throws IOException, InterruptedException {
            int pause = COOLDOWN_MILLIS + 150 + random.nextInt(200);
            TimeUnit.MILLISECONDS.sleep(pause / 2);
            ping.add(bare.ping());
            TimeUnit.MILLISECONDS.sleep(pause / 2);
        }

        private List<Row> rows() {
            String target = "median <= 3 ms, max <= 15 ms";
            String what = nodes + " nodes: release -> ";
            return List.of(
                    new Row(what + "`isLeader()` in another process", target, leading.toString()),
                    new Row(what + "the same, rounds without a tick of stolen time", target, undisturbed.toString()),
                    new Row(what + "a thread that waits for leadership there runs", "-", waiting.toString()),
                    new Row(what + "`onAcquired` there", "-", listener.toString()),
                    new Row(nodes + " nodes: a `PING` over a bare socket, half-way between two", "-", ping.toString()),
                    new Row(
                            nodes + " nodes: the same as the first, the first " + COLD + " rounds of the processes",
                            "-",
                            cold.toString()));
        }

        private Row rowToCompareWith() {
            return new Row(
                    nodes
                            + " nodes: a lock of Spring Integration's `RedisLockRegistry` (Pub/Sub): `unlock()` -> `lock()`"
                            + " returns to the thread that waits in another process",
                    "-",
                    leading + "; without a tick of stolen time: " + undisturbed + "; with a `PING` in between of "
                            + ping);
        }

        /** A change of leader in a hurry: where the others are not back in the queue yet, the same node leads again. */
        private static void warmUp(Lab lab, Cluster cluster) throws IOException, InterruptedException {
            int begin = lab.journal().end();
            cluster.leader().ask("abdicate default " + SHORT_COOLDOWN_MILLIS, "ABDICATED");
            cluster.awaitLeader(begin);
            TimeUnit.MILLISECONDS.sleep(SHORT_COOLDOWN_MILLIS);
        }

        private static Round round(Lab lab, Cluster cluster, int cooldownMillis)
                throws IOException, InterruptedException {
            NodeProcess leader = cluster.leader();
            int begin = lab.journal().end();
            long stolen = Host.stolen();
            long released = leader.ask("abdicate default " + cooldownMillis, "ABDICATED")
                    .number(0);
            Report leads = cluster.awaitOther(begin, leader, "LEADS");
            long heard = cluster.awaitOther(begin, leader, "ACQUIRED").number(0);
            return new Round(
                    leads.number(2) - released, leads.number(1) - released, heard - released, Host.stolen() == stolen);
        }

        private void count(Round round) {
            leading.add(round.toLead());
            waiting.add(round.toWake());
            listener.add(round.toTell());
            if (round.isUndisturbed()) {
                undisturbed.add(round.toLead());
            }
        }
    }

    /** From a release, in nanoseconds: until the next node leads, a thread that waits there runs, and a listener is called. */
    private record Round(long toLead, long toWake, long toTell, boolean isUndisturbed) {}
}
