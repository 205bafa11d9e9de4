package dev.election.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * The main class of a node process to compare with: who has the lock of Spring Integration's {@code RedisLockRegistry} counts as
 * the leader, and gives the lock back when told to abdicate. Understands of what {@link Node} does as much as {@link Cluster} and
 * {@link ReleaseScenario} say.
 */
public final class LockNode {

    private final Voice voice = new Voice(System.out);
    private final BlockingQueue<Duration> cooldowns = new LinkedBlockingQueue<>();
    private final LettuceConnectionFactory connections;
    private final DistributedLock lock;

    private LockNode(int redisPort, Duration lease) {
        this.connections = new LettuceConnectionFactory("127.0.0.1", redisPort);
        connections.afterPropertiesSet();
        connections.start();
        ThreadPoolTaskScheduler renewals = new ThreadPoolTaskScheduler();
        renewals.setDaemon(true);
        renewals.initialize();
        RedisLockRegistry registry = new RedisLockRegistry(connections, "bench", lease);
        registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
        registry.setRenewalTaskScheduler(renewals);
        this.lock = registry.obtain("default");
    }

    /**
     * Runs until standard input ends.
     *
     * @param arguments id of the node, port of Redis, lease in ms
     */
    public static void main(String[] arguments) throws IOException {
        LockNode node = new LockNode(Integer.parseInt(arguments[1]), Duration.ofMillis(Long.parseLong(arguments[2])));
        try {
            node.obey();
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private void obey() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] command = line.split(" ", -1);
            switch (command[0]) {
                case "hello" -> voice.say("HELLO", System.nanoTime());
                case "open" -> voice.say("OPENED", System.nanoTime());
                case "connect" -> connect();
                case "join" -> voice.say("JOINED", System.nanoTime());
                case "observe" -> voice.say("OBSERVED", System.nanoTime());
                case "start" -> start();
                case "result" -> voice.say("RESULT", true);
                case "abdicate" -> cooldowns.add(Duration.ofMillis(Long.parseLong(command[2])));
                default -> throw new IllegalArgumentException(command[0]);
            }
        }
    }

    private void connect() {
        try (RedisConnection connection = connections.getConnection()) {
            voice.say("CONNECTED", System.nanoTime(), connection.ping());
        }
    }

    private void start() {
        Thread holder = new Thread(this::holdAgainAndAgain, "holder");
        holder.setDaemon(true);
        holder.start();
        voice.say("STARTED", System.nanoTime());
    }

    private void holdAgainAndAgain() {
        try {
            while (true) {
                lock.lockInterruptibly();
                long held = System.nanoTime();
                voice.say("LEADS", held, held, held);
                voice.say("ACQUIRED", held, "-");
                Duration cooldown = cooldowns.take();
                long begun = System.nanoTime();
                lock.unlock();
                long done = System.nanoTime();
                TimeUnit.MILLISECONDS.sleep(Node.QUIET_MILLIS);
                voice.say("ABDICATED", begun, done, "-");
                TimeUnit.MILLISECONDS.sleep(cooldown.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
