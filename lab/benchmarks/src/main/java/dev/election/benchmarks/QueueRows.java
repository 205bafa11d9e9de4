package dev.election.benchmarks;

import io.lettuce.core.api.sync.RedisCommands;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Followers that live but lose their place in the queue within three leases after changes of leader. There are two changes, less than a
 * lease apart: what a follower hears of the first must not keep it from asking in time when it hears of the second.
 */
record QueueRows(int number) implements Scenario {

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final int CHANGES = 2;
    private static final long APART_MILLIS = LEASE.toMillis() * 7 / 10;
    private static final Duration LATER = LEASE.multipliedBy(3);
    private static final Duration SAMPLED = Duration.ofMillis(100);
    private static final String QUEUE = "bench:{e0}:queue";

    @Override
    public List<Row> run() throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (int followers : new int[] {50, 200}) {
            rows.add(forgotten(followers));
        }
        return rows;
    }

    private Row forgotten(int followers) throws IOException, InterruptedException {
        try (Lab lab = new Lab(Contestant.CROWD)) {
            Crowd crowd = new Crowd(lab, Library.ELECTION, LEASE, 1);
            crowd.openFollowers(followers, followers);
            crowd.startFollowers(Duration.ofMinutes(1));
            TimeUnit.SECONDS.sleep(2 * LEASE.toSeconds());
            Set<String> before = lab.redis().observe(QueueRows::queue);
            for (int change = 0; change < CHANGES; change++) {
                TimeUnit.MILLISECONDS.sleep(APART_MILLIS);
                crowd.abdicate();
            }
            Set<String> ever = new HashSet<>();
            int atTheEnd = lab.redis().observe(redis -> watch(redis, before, ever));
            return new Row(
                    number + ": " + followers + " followers of an election, lease " + LEASE.toSeconds() + " s, within "
                            + LATER.toSeconds() + " s after " + CHANGES
                            + " hand-overs: those that the queue has forgotten",
                    "0",
                    (ever.size() - CHANGES) + "; at the end " + (atTheEnd - CHANGES) + "; before the hand-overs "
                            + (followers - before.size()));
        }
    }

    /**
     * Notes who of those has no place at any time. Those who came to lead have left the queue for good: a node has another candidacy when
     * it follows again.
     */
    private static int watch(RedisCommands<String, String> redis, Set<String> before, Set<String> ever) {
        Set<String> gone = new HashSet<>();
        long end = System.nanoTime() + LATER.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(SAMPLED.toNanos());
            gone.clear();
            gone.addAll(before);
            gone.removeAll(queue(redis));
            ever.addAll(gone);
        }
        return gone.size();
    }

    private static Set<String> queue(RedisCommands<String, String> redis) {
        return new HashSet<>(redis.zrange(QUEUE, 0, -1));
    }
}
