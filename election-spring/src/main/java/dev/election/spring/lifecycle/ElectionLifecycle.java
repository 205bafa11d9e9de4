package dev.election.spring.lifecycle;

import dev.election.Elections;
import dev.election.spring.internal.delay.DelayedTaskThread;
import dev.election.spring.internal.delay.DelayedTasks;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the elections when the application is ready and stops them when it stops. A context that fails to start never leads. On shutdown
 * the elections stop first and wait for running leader work, while the beans that this work may need are still running.
 */
public final class ElectionLifecycle implements SmartLifecycle, ApplicationListener<ApplicationEvent> {

    private static final Logger log = LoggerFactory.getLogger(ElectionLifecycle.class);

    private final Elections elections;
    private final Duration longestStop;
    private final Readiness readiness;
    private final StartWait startWait;
    private volatile boolean running;

    /** Whether the application has been ready once: after a restart it is ready at once. Guarded by this. */
    private boolean ready;

    /**
     * Creates the lifecycle.
     *
     * @param readiness of the context whose start and stop count
     * @param elections what to start and stop
     * @param longestStop after this time the application continues to stop, even if the elections have not stopped
     */
    public ElectionLifecycle(Readiness readiness, Elections elections, Duration longestStop) {
        this(readiness, elections, longestStop, new DelayedTaskThread("election-start"));
    }

    ElectionLifecycle(Readiness readiness, Elections elections, Duration longestStop, DelayedTasks tasks) {
        this.readiness = readiness;
        this.startWait = new StartWait(readiness.candidacy(), readiness::pending, tasks);
        this.elections = elections;
        this.longestStop = longestStop;
    }

    /** The reason why this node takes no part in the elections yet, empty if it does. */
    public Optional<PendingStart> pendingStart() {
        return startWait.pending();
    }

    @Override
    public synchronized void onApplicationEvent(ApplicationEvent event) {
        if (readiness.isToldBy(event)) {
            ready = true;
            startWait.end();
            beginIfUp();
        }
    }

    /** During the refresh the application is not ready to work, but it is when the context is started again later. */
    @Override
    public synchronized void start() {
        StopOrder.putFirst(this, readiness.context());
        running = true;
        if (!ready) {
            startWait.begin();
        }
        beginIfUp();
    }

    @Override
    public void stop() {
        synchronized (this) {
            running = false;
            startWait.cancel();
        }
        try {
            elections.stop().toCompletableFuture().get(longestStop.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "The elections did not stop within {}. Leases that were not released will expire",
                    ReadableDuration.of(longestStop),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Stops the elections on the caller's thread, so that no phase timeout lets the rest stop beside running leader work. */
    @Override
    public void stop(Runnable callback) {
        stop();
        callback.run();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The first phase to stop: calls by schedulers that still run are refused from then on. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    /** An application may be stopped before it is ready, and the event that it is ready may be published while it stops. */
    private void beginIfUp() {
        if (!running || !ready) {
            return;
        }
        if (elections.all().isEmpty()) {
            log.info("This application takes part in no election: it has no leader-only methods, beans or jobs, no"
                    + " property names an election, and nothing listens to leadership. It joins an election when"
                    + " it asks Elections for it");
        }
        elections.start();
    }
}
