package dev.election.lifecycle;

import dev.election.Election;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;

/**
 * Starts beans when this node becomes leader and stops them when it is not any more, in the order of their phases. Each counts as
 * running leader work while it is up, so that an orderly departure waits until it has stopped.
 */
final class LeaderBoundBeans implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger(LeaderBoundBeans.class);

    private final Election election;
    private final List<Lifecycle> beans;
    private final Duration patience;

    /** The latest first. Guarded by this, as is what follows. */
    private final Deque<Started> started = new ArrayDeque<>();

    private boolean bound;

    /**
     * Creates the group of the beans of one election.
     *
     * @param election whose leadership counts
     * @param beans what to start and stop
     * @param patience how long to wait for a bean to stop before the next one is stopped
     */
    LeaderBoundBeans(Election election, List<Lifecycle> beans, Duration patience) {
        this.election = election;
        this.beans = beans.stream()
                .sorted(Comparator.comparingInt(LeaderBoundBeans::phase))
                .toList();
        this.patience = patience;
    }

    void bind() {
        synchronized (this) {
            bound = true;
        }
        election.addListener(this);
    }

    /** From here on nothing is started any more, and what runs is stopped. */
    synchronized void unbind() {
        bound = false;
        election.removeListener(this);
        stopAll();
    }

    @Override
    public synchronized void onAcquired(LeadershipEvent.Acquired event) {
        if (!bound) {
            return;
        }
        for (Lifecycle bean : beans) {
            // Leadership may have gone while others started.
            election.beginWork().ifPresent(work -> start(bean, work));
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

    private void start(Lifecycle bean, LeaderWork work) {
        started.push(new Started(bean, work));
        try (LeaderWork.Scope scope = work.onThisThread()) {
            bean.start();
        } catch (RuntimeException failure) {
            log.error("{} could not be started although this node leads '{}'", bean, election.name(), failure);
        }
    }

    private synchronized void stopAll() {
        while (!started.isEmpty()) {
            Started next = started.pop();
            try (LeaderWork work = next.work;
                    LeaderWork.Scope scope = work.onThisThread()) {
                stop(next.bean);
            } catch (RuntimeException failure) {
                log.error(
                        "{} could not be stopped although this node no longer leads '{}'",
                        next.bean,
                        election.name(),
                        failure);
            }
        }
    }

    private void stop(Lifecycle bean) {
        if (!(bean instanceof SmartLifecycle smart)) {
            bean.stop();
            return;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        smart.stop(stopped::countDown);
        try {
            if (!stopped.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn("{} has not stopped within {}", bean, patience);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static int phase(Lifecycle bean) {
        return bean instanceof Phased phased ? phased.getPhase() : 0;
    }

    private record Started(Lifecycle bean, LeaderWork work) {}
}
