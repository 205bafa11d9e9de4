package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node of the replaced system in a process of its own. Nothing is deleted when it stops. */
final class OldNode {

    private static final Logger log = LoggerFactory.getLogger(OldNode.class);

    private final NodeMain main;
    private final CountDownLatch resumed;
    private final RedissonClient redisson;
    private final ReplacedElection election;
    private final ScheduledExecutorService scheduler = new ScheduledThreadPoolExecutor(1);

    /** @param held whether it stays inside the lock when it first finds no master, until it is told to resume */
    private OldNode(NodeMain main, boolean held) {
        this.main = main;
        this.resumed = new CountDownLatch(held ? 1 : 0);
        this.redisson = Redisson.create(config(main.port()));
        this.election = new ReplacedElection(redisson, main.id(), main.pace(), this::holdInside, main::record);
    }

    public static void main(String[] arguments) throws Exception {
        NodeMain main = NodeMain.of(arguments);
        OldNode node = new OldNode(main, arguments[8].equals("held"));
        main.run(node.election::isMasterNode, node::start, node::stop, node::obey);
    }

    private void start() {
        ScheduledFuture<?> unused = scheduler.scheduleAtFixedRate(
                this::masterElection, 0, main.pace().check().toMillis(), TimeUnit.MILLISECONDS);
    }

    private void stop() {
        scheduler.shutdownNow();
        redisson.shutdown(0, 1, TimeUnit.SECONDS);
    }

    private void obey(String command) {
        if (!command.equals("resume")) {
            throw new IllegalArgumentException(command);
        }
        resumed.countDown();
    }

    /** As a scheduled method of Spring: an exception is logged, and the next run comes all the same. */
    private void masterElection() {
        try {
            election.masterElection();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            log.warn("The election failed", failure);
        }
    }

    private void holdInside() {
        if (resumed.getCount() == 0) {
            return;
        }
        main.say("inside");
        long from = System.nanoTime();
        try {
            resumed.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
        main.record(new Entry.Stalled(main.id(), from, System.nanoTime()));
    }

    private static Config config(int port) {
        Config config = new Config();
        config.setCodec(StringCodec.INSTANCE);
        config.setThreads(2);
        config.setNettyThreads(2);
        config.useSingleServer()
                .setAddress("redis://127.0.0.1:" + port)
                .setConnectionMinimumIdleSize(2)
                .setConnectionPoolSize(4)
                .setSubscriptionConnectionPoolSize(2);
        return config;
    }
}
