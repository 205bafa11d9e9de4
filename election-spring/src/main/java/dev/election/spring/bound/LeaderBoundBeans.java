package dev.election.spring.bound;

import dev.election.Election;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.Role;
import dev.election.spring.internal.delay.DelayedTasks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;

/**
 * Starts beans when this node becomes leader and stops them when it no longer leads, in the order of their phases. Each bean counts as
 * running leader work from its first start until it has stopped, so that an orderly release waits for it.
 */
final class LeaderBoundBeans implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger(LeaderBoundBeans.class);

    private final Election election;
    private final List<Map.Entry<String, Lifecycle>> beans;
    private final Duration patience;
    private final DelayedTasks retries;
    private final boolean givesUp;

    /** Held while beans are started or stopped, for as long as they take. */
    private final ReentrantLock turn = new ReentrantLock();

    /** The runs of the beans, the latest first. Changed only under the turn, and read without it. */
    private final Deque<LeaderBoundRun> runs = new ConcurrentLinkedDeque<>();

    /** Listener that is called on another thread than this one, so that a loss is noticed also during a long start. */
    private final LeadershipListener meanwhile = new LeadershipListener() {
        @Override
        public void onLost(LeadershipEvent.Lost event) {
            stopOutlived();
        }
    };

    /** Completed when the latest run of a bean has released it, by bean. Guarded by the turn. */
    private final Map<String, CompletableFuture<Void>> released = new HashMap<>();

    private volatile boolean bound;
    private volatile boolean isStarting;

    /**
     * Creates the group of the beans of one election.
     *
     * @param election whose leadership counts
     * @param beans what to start and stop, by name
     * @param patience how long to wait for a bean to stop before the next one is stopped
     * @param retries for beans that can't be started
     * @param givesUp whether leadership is given up when the start of a bean has failed several times
     */
    LeaderBoundBeans(
            Election election, Map<String, Lifecycle> beans, Duration patience, DelayedTasks retries, boolean givesUp) {
        ToIntFunction<Map.Entry<String, Lifecycle>> phase =
                bean -> bean.getValue() instanceof Phased phased ? phased.getPhase() : 0;
        this.election = election;
        this.beans =
                beans.entrySet().stream().sorted(Comparator.comparingInt(phase)).toList();
        this.patience = patience;
        this.retries = retries;
        this.givesUp = givesUp;
    }

    void bind() {
        bound = true;
        election.addListener(this);
        election.addListener(meanwhile);
    }

    /**
     * Stops the running beans; none is started from now on. If one is being started or stopped at the moment and does not return, it does
     * not hold up the stop of the context. When the elections have stopped, it has had its time already.
     */
    void unbind() {
        bound = false;
        election.removeListener(this);
        election.removeListener(meanwhile);
        if (!LeaderBoundRun.hasTurnWithin(election.role() == Role.STOPPED ? Duration.ZERO : patience, turn)) {
            log.warn(
                    "A leader-only bean of the election '{}' has not returned from its start or stop: the application continues to stop without it",
                    election.name());
            runs.forEach(LeaderBoundRun::stopUnlessBusy);
            return;
        }
        try {
            stopRuns();
        } finally {
            turn.unlock();
        }
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
    public void onAcquired(LeadershipEvent.Acquired event) {
        startAll();
    }

    @Override
    public void onResumed(LeadershipEvent.Resumed event) {
        startAll();
    }

    private void startAll() {
        turn.lock();
        try {
            isStarting = true;
            for (Map.Entry<String, Lifecycle> bean : beans) {
                if (bound && runs.stream().noneMatch(run -> run.isOf(bean.getKey()))) {
                    start(bean);
                }
            }
            if (!bound) {
                // Nobody may have waited for the last start.
                stopRuns();
            }
        } finally {
            isStarting = false;
            turn.unlock();
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

    private void start(Map.Entry<String, Lifecycle> bean) {
        // Leadership may have gone while others started.
        election.beginWork().ifPresent(work -> {
            LeaderBoundRun run = new LeaderBoundRun(bean.getKey(), bean.getValue(), work, patience, retries, givesUp);
            runs.push(run);
            CompletableFuture<Void> before = released.put(bean.getKey(), run.released());
            run.startAfter(before == null ? CompletableFuture.completedFuture(null) : before);
        });
    }

    private void stopAll() {
        turn.lock();
        try {
            stopRuns();
        } finally {
            turn.unlock();
        }
    }

    private void stopRuns() {
        List<LeaderBoundRun> busy = new ArrayList<>();
        while (!runs.isEmpty()) {
            LeaderBoundRun run = runs.pop();
            if (!run.stopUnlessBusy()) {
                busy.add(run);
            }
        }
        busy.forEach(LeaderBoundRun::stop);
    }

    /** Stops beans that were started before one whose start takes long: they would work on. */
    private void stopOutlived() {
        if (isStarting) {
            runs.stream().filter(LeaderBoundRun::isOutlived).forEach(LeaderBoundRun::stopUnlessBusy);
        }
    }
}
