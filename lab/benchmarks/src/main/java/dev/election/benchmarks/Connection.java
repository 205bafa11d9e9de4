package dev.election.benchmarks;

import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.store.Candidate;
import dev.election.store.LeaseStore;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Finds out whether a store has both its connections, without a trace in the election that is measured. */
final class Connection {

    private static final String ELSEWHERE = "probe";

    private Connection() {}

    static void await(LeaseStore store) throws InterruptedException {
        CountDownLatch subscribed = new CountDownLatch(1);
        LeaseStore.Subscription subscription = store.listen(ELSEWHERE, event -> {
            if (event instanceof StoreEvent.Connected) {
                subscribed.countDown();
            }
        });
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!answers(store)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("The store does not connect");
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
        if (!subscribed.await(20, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The store does not subscribe");
        }
        subscription.close();
    }

    private static boolean answers(LeaseStore store) {
        Candidate nobody = new Candidate(ELSEWHERE, "probe.1", new NodeInfo("probe", "127.0.0.1"));
        return store.release(new ReleaseRequest(nobody, null, Duration.ofSeconds(1), LossReason.STOPPED))
                        .toCompletableFuture()
                        .join()
                instanceof ReleaseReply.NotHeld;
    }
}
