package dev.election.jobs;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeaderWork;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.util.concurrent.CancellationException;
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

    private final LeaseStore store;
    private Supplier<NodeInfo> node = NodeInfo::ofThisHost;
    private String version = "";
    private Timing timing = Timing.defaults();
    private Duration wait = WAIT;
    private LongSupplier nanos = System::nanoTime;

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
     * @throws CancellationException if this thread was interrupted by somebody else; it remains so
     */
    public boolean run(String id, Task task) {
        try (ElectionEngine engine =
                ElectionEngine.over(store).as(node).timing(timing).build()) {
            return new OnceRun(id, version, wait, nanos, engine, engine.get(election(id)), task).run();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new CancellationException("The task '" + id + "' was interrupted");
        }
    }

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
