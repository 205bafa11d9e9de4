package dev.election.jobs;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeaderWork;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Runs tasks once for all processes that share a store, such as a migration before the rest of an application begins. A task runs at least
 * once, and never in two processes at a time outside the list of exceptions in the guarantees of the elections: make it repeatable or fence it.
 *
 * <p>Each task has an election of its own, {@code once.<id>}, in which only the processes take part that call {@link #run}, until the task is
 * done. That it is done stands in the {@linkplain Election#state() state} of that election.
 */
public final class OnceRunner {

    /** The time for which a process waits by default while nobody runs the task. */
    public static final Duration WAIT = Duration.ofMinutes(10);

    private static final String ELECTION = "once.";

    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final LeaseStore store;
    private Supplier<NodeInfo> node = NodeInfo::ofThisHost;

    /** A call takes this setting, and those below, when it begins. */
    String version = "";

    Timing timing = Timing.defaults();
    Duration wait = WAIT;
    LongSupplier nanos = System::nanoTime;

    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    volatile boolean isStopped;

    private OnceRunner(LeaseStore store) {
        this.store = store;
    }

    /** Creates an object that runs tasks once for all processes that share that store, which belongs to the caller. */
    public static OnceRunner over(LeaseStore store) {
        return new OnceRunner(store);
    }

    /** Returns the name of the election of a task. */
    public static String election(String id) {
        return ELECTION + id;
    }

    /** Sets the source of the node that this process is. By default its id is the name of the host with a random suffix. */
    public OnceRunner as(Supplier<NodeInfo> node) {
        this.node = node;
        return this;
    }

    /** Sets the version of this build, for which failures are counted. Without one, or if it is empty, each process counts its own. */
    public OnceRunner version(String version) {
        this.version = version;
        return this;
    }

    /** Sets the timing of the elections, the same in all processes: a process that died is followed after the lease. */
    public OnceRunner timing(Timing timing) {
        this.timing = timing;
        return this;
    }

    /** Sets how long to wait while nobody runs the task. The default is {@link #WAIT}. */
    public OnceRunner waitAtMost(Duration time) {
        this.wait = Election.bounded(time);
        return this;
    }

    /** Sets the monotonic clock by which waits end, for tests. */
    OnceRunner clock(LongSupplier nanos) {
        this.nanos = nanos;
        return this;
    }

    /**
     * Returns when the task is done, by this process or another one. If this process leads the election of the task and it is not done, it runs on this
     * thread, which is interrupted if the leadership ends. While another process runs it, this one waits without a limit.
     *
     * <p>A task that throws is tried again by whichever process leads next, three times in all for each {@link #version}.
     *
     * @param id of the task: with {@code once.} before it the name of an election
     * @return whether this process has run it
     * @throws IllegalStateException if the task has failed three times, with the latest failure as the cause in the process that it
     *     occurred in; or nobody has run it within the time to wait
     * @throws dev.election.ElectionConfigurationException if the store keeps no ledgers, or refuses to read one
     * @throws CancellationException if this thread was interrupted by somebody else, and remains so, or after {@link #stop}
     */
    public boolean run(String id, Task task) {
        Call call = new Call(Thread.currentThread(), new CountDownLatch(1));
        Thread atShutdown = new Thread(this::stop, "election-once-stop");
        calls.add(call);
        boolean isHooked = ifRunning(() -> Runtime.getRuntime().addShutdownHook(atShutdown));
        try (ElectionEngine engine =
                ElectionEngine.over(store).as(node).timing(timing).build()) {
            if (isStopped || !isHooked) {
                throw new CancellationException("The task '" + id + "' does not begin: the application ends");
            }
            return new OnceRun(this, id, task, engine).run();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            CancellationException cancelled = new CancellationException("The task '" + id + "' was interrupted");
            cancelled.initCause(interrupted);
            throw cancelled;
        } finally {
            calls.remove(call);
            call.ended.countDown();
            boolean unused = ifRunning(() -> Runtime.getRuntime().removeShutdownHook(atShutdown));
        }
    }

    /**
     * Interrupts what runs or waits, for good, and waits until it has returned, ten seconds at most: then another process can run the task at
     * once. A shutdown of the JVM does so, and a context that closes. What a task throws because of that does not count as a failure.
     */
    public void stop() {
        isStopped = true;
        List<Call> others = calls.stream()
                .filter(call -> call.thread != Thread.currentThread())
                .toList();
        others.forEach(call -> call.thread.interrupt());
        long end = System.nanoTime() + LONGEST_STOP.toNanos();
        try {
            for (Call call : others) {
                boolean unused = call.ended.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Changes what runs at a shutdown of the JVM, unless it has begun. Returns whether it has not. */
    private static boolean ifRunning(Runnable change) {
        try {
            change.run();
            return true;
        } catch (IllegalStateException shuttingDown) {
            return false;
        }
    }

    /** A call of {@link #run} that goes on. */
    private record Call(Thread thread, CountDownLatch ended) {}

    /** A task that runs once. */
    @FunctionalInterface
    public interface Task {

        /**
         * Runs the task. Another process may run it before this returns if the leadership has ended: check {@link LeaderWork#isCurrent} before
         * each step that can't be undone.
         *
         * @param work the work of the leader, which the caller closes
         * @throws Exception if it is not done
         */
        void run(LeaderWork work) throws Exception;
    }
}
