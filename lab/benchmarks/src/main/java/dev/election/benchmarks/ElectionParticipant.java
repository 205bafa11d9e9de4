package dev.election.benchmarks;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.RedisLeaseStore;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;

/** A node of this library, with a store, connections and an engine of its own. */
final class ElectionParticipant implements Participant, LeadershipListener {

    /** Short, so that the node that abdicated is a follower like the others soon after. */
    private static final Duration COOLDOWN = Duration.ofSeconds(1);

    private final ElectionEngine engine;
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong timedOut = new AtomicLong();

    ElectionParticipant(String id, RedisAccess redis, Duration lease) {
        RedisLeaseStore store = RedisLeaseStore.open(redis, "bench", lease);
        engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, "127.0.0.1"))
                .timing(Timing.ofLease(lease))
                .build();
        engine.addListener(this);
    }

    @Override
    public void start(int elections) {
        for (int number = 0; number < elections; number++) {
            Election unused = engine.get("e" + number);
        }
        engine.start();
    }

    @Override
    public boolean awaitResults(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean all = true;
        for (Election election : engine.all()) {
            all &= election.awaitResult(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        }
        return all;
    }

    @Override
    public void abdicate() {
        try {
            Object unused = engine.get("e0")
                    .abdicate(Abdication.toAnyone().coolingDownFor(COOLDOWN))
                    .toCompletableFuture()
                    .join();
        } catch (CompletionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Tally tally() {
        long led = engine.all().stream().filter(Election::isLeader).count();
        return new Tally(led, lost.get(), timedOut.get(), 0);
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        if (event.reason() != LossReason.ABDICATED) {
            lost.incrementAndGet();
        }
    }

    @Override
    public void onStoreFailed(LeadershipEvent.StoreFailed event) {
        if (event.problem() == StoreProblem.TIMED_OUT) {
            timedOut.incrementAndGet();
        }
    }
}
