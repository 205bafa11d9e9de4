package dev.election.lifecycle;

import dev.election.Election;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.time.Duration;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.ToIntFunction;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;

/**
 * Starts beans when this node becomes leader and stops them when it no longer leads, in the order of their phases. Each bean counts as
 * running leader work from its first start until it has stopped, so that an orderly release waits for it.
 */
final class LeaderBoundBeans implements LeadershipListener {

    private final Election election;
    private final List<Map.Entry<String, Lifecycle>> beans;
    private final Duration patience;
    private final DelayedTasks retries;

    /** The latest first. Changed only under the lock of this, and read without it. */
    private final Deque<LeaderBoundRun> runs = new ConcurrentLinkedDeque<>();

    /** Guarded by this. */
    private boolean bound;

    /**
     * Creates the group of the beans of one election.
     *
     * @param election whose leadership counts
     * @param beans what to start and stop, by name
     * @param patience how long to wait for a bean to stop before the next one is stopped
     * @param retries for beans that can't be started
     */
    LeaderBoundBeans(Election election, Map<String, Lifecycle> beans, Duration patience, DelayedTasks retries) {
        ToIntFunction<Map.Entry<String, Lifecycle>> phase =
                bean -> bean.getValue() instanceof Phased phased ? phased.getPhase() : 0;
        this.election = election;
        this.beans =
                beans.entrySet().stream().sorted(Comparator.comparingInt(phase)).toList();
        this.patience = patience;
        this.retries = retries;
    }

    void bind() {
        synchronized (this) {
            bound = true;
        }
        election.addListener(this);
    }

    /** Stops the running beans; none is started from now on. */
    synchronized void unbind() {
        bound = false;
        election.removeListener(this);
        stopAll();
    }

    /** The beans that could not be started yet, although this node leads. */
    List<FailedStart> failedStarts() {
        return runs.stream()
                .flatMap(run -> run.failedStart().stream())
                .sorted(Comparator.comparing(FailedStart::bean))
                .toList();
    }

    boolean isOf(String name) {
        return election.name().equals(name);
    }

    @Override
    public synchronized void onAcquired(LeadershipEvent.Acquired event) {
        if (!bound) {
            return;
        }
        for (Map.Entry<String, Lifecycle> bean : beans) {
            // Leadership may have gone while others started.
            election.beginWork().ifPresent(work -> {
                LeaderBoundRun run = new LeaderBoundRun(bean.getKey(), bean.getValue(), work, patience, retries);
                runs.push(run);
                run.start();
            });
        }
    }

    @Override
    public void onResigning(LeadershipEvent.Resigning event) {
        stopAll();
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        stopAll();
    }

    private synchronized void stopAll() {
        while (!runs.isEmpty()) {
            runs.pop().stop();
        }
    }
}
