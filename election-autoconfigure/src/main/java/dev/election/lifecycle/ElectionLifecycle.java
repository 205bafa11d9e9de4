package dev.election.lifecycle;

import dev.election.Election;
import dev.election.Elections;
import dev.election.text.ReadableDuration;
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
import org.springframework.context.event.ContextClosedEvent;

/**
 * Takes part in the elections from when the application is ready to work until it stops. A context that fails to start never
 * leads. On the way down it stops first and waits for running leader work, while everything that the work may need is still up.
 */
public final class ElectionLifecycle implements SmartLifecycle, ApplicationListener<ApplicationEvent> {

    private static final Logger log = LoggerFactory.getLogger(ElectionLifecycle.class);

    private static final Duration PATIENCE_WITH_LISTENERS = Duration.ofSeconds(2);

    private final Elections elections;
    private final EventPublication publication;
    private final Duration longestStop;
    private final Readiness readiness;
    private final StartWait startWait;
    private volatile boolean running;

    /** Whether the application has been ready once: then it is again as soon as it is started again. Guarded by this. */
    private boolean ready;

    /**
     * Creates the lifecycle.
     *
     * @param readiness of the context whose start and stop count
     * @param elections what to start and stop
     * @param publication what has to be told of the end before everything else stops
     * @param longestStop after this long the application goes on to stop, whatever the elections do
     */
    public ElectionLifecycle(
            Readiness readiness, Elections elections, EventPublication publication, Duration longestStop) {
        this(readiness, elections, publication, longestStop, new DelayedTaskThread("election-start"));
    }

    ElectionLifecycle(
            Readiness readiness,
            Elections elections,
            EventPublication publication,
            Duration longestStop,
            DelayedTasks tasks) {
        this.readiness = readiness;
        this.startWait = new StartWait(readiness.candidacy(), tasks);
        this.elections = elections;
        this.publication = publication;
        this.longestStop = longestStop;
    }

    /** What this node waits for before it takes part, empty if it does. */
    public Optional<PendingStart> pendingStart() {
        return startWait.pending();
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        if (readiness.isToldBy(event)) {
            ready();
        } else if (event instanceof ContextClosedEvent closed
                && closed.getApplicationContext() == readiness.context()) {
            // Published before the beans stop.
            StopOrder.putFirst(this, readiness.context());
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
            publication.awaitEnds(PATIENCE_WITH_LISTENERS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "The elections did not stop within {}. Leases that were not released expire by themselves",
                    ReadableDuration.of(longestStop),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** On the caller's thread, so that no phase timeout lets the rest stop beside running leader work. */
    @Override
    public void stop(Runnable callback) {
        stop();
        callback.run();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** The first to stop: a scheduler that still fires is refused from here on. */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }

    private synchronized void ready() {
        ready = true;
        startWait.end();
        beginIfUp();
    }

    /** An application may be told to stop before it is ready, and be said to be ready while it stops. */
    private void beginIfUp() {
        if (!running || !ready) {
            return;
        }
        if (elections.all().isEmpty()) {
            elections.get(Election.DEFAULT);
        }
        elections.start();
    }
}
