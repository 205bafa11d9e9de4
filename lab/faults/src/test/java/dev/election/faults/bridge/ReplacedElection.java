package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.redisson.api.RBucket;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * The election that this project replaces, written anew from its analysis: whoever finds no master under the lock registers
 * itself, whoever finds one extends the life of the key, whosever it is.
 */
final class ReplacedElection {

    static final String KEY = "SCHEDULER_MASTER";
    static final String LOCK = "MASTER_ELECTION_LOCK";

    private final String node;
    private final Pace pace;
    private final RLock lock;
    private final RBucket<String> master;
    private final Runnable beforeRegistering;
    private final Consumer<Entry> history;

    /** @param beforeRegistering runs inside the lock, when the key was found without a master and is not written yet */
    ReplacedElection(
            RedissonClient redisson, String node, Pace pace, Runnable beforeRegistering, Consumer<Entry> history) {
        this.node = node;
        this.pace = pace;
        this.lock = redisson.getLock(LOCK);
        this.master = redisson.getBucket(KEY, StringCodec.INSTANCE);
        this.beforeRegistering = beforeRegistering;
        this.history = history;
    }

    void masterElection() throws InterruptedException {
        if (!lock.tryLock(millis(pace.lockWait()), millis(pace.lockLease()), TimeUnit.MILLISECONDS)) {
            return;
        }
        try {
            if (master.get() == null || master.remainTimeToLive() <= 0) {
                register();
            } else {
                master.expire(pace.ttl());
            }
        } finally {
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
        }
    }

    boolean isMasterNode() {
        return node.equals(master.get());
    }

    private void register() {
        long readAt = System.nanoTime();
        beforeRegistering.run();
        long sentAt = System.nanoTime();
        master.set(node, pace.ttl());
        history.accept(new Entry.Registered(node, readAt, sentAt, System.nanoTime()));
    }

    private static long millis(Duration duration) {
        return duration.toMillis();
    }
}
