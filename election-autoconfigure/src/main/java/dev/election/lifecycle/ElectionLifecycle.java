package dev.election.lifecycle;

import dev.election.Election;
import dev.election.Elections;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Takes part in the elections from when the application is ready to work until it stops. A context that fails to start never
 * leads. On the way down it stops first and waits for running leader work, while everything that the work may need is still up.
 */
public final class ElectionLifecycle implements SmartLifecycle, ApplicationListener<ApplicationEvent> {

    private static final Logger log = LoggerFactory.getLogger(ElectionLifecycle.class);

    /** Spring Boot puts this bean into a context that it is about to run; it will say when that is ready. */
    private static final String DRIVEN_BY_BOOT = "springApplicationArguments";

    private static final Duration PATIENCE_WITH_LISTENERS = Duration.ofSeconds(2);

    private final Elections elections;
    private final EventPublication publication;
    private final Duration longestStop;
    private final ApplicationContext context;
    private volatile boolean running;

    /** Whether the application has been ready once: then it is again as soon as it is started again. */
    private volatile boolean ready;

    /**
     * Creates the lifecycle.
     *
     * @param context the context whose start and stop count
     * @param elections what to start and stop
     * @param publication what has to be told of the end before everything else stops
     * @param longestStop after this long the application goes on to stop, whatever the elections do
     */
    public ElectionLifecycle(
            ApplicationContext context, Elections elections, EventPublication publication, Duration longestStop) {
        this.context = context;
        this.elections = elections;
        this.publication = publication;
        this.longestStop = longestStop;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        boolean readied = event instanceof ApplicationReadyEvent of && of.getApplicationContext() == context;
        boolean refreshed = event instanceof ContextRefreshedEvent of
                && of.getApplicationContext() == context
                && !context.containsLocalBean(DRIVEN_BY_BOOT);
        if (readied || refreshed) {
            ready = true;
            begin();
        }
    }

    /** During the refresh the application is not ready to work, but it is when the context is started again later. */
    @Override
    public void start() {
        running = true;
        if (ready) {
            begin();
        }
    }

    @Override
    public void stop() {
        running = false;
        try {
            elections.stop().toCompletableFuture().get(longestStop.toMillis(), TimeUnit.MILLISECONDS);
            publication.awaitEnds(PATIENCE_WITH_LISTENERS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn("The elections did not end within {}; their leases end by themselves", longestStop, e);
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

    private void begin() {
        if (elections.all().isEmpty()) {
            elections.get(Election.DEFAULT);
        }
        elections.start();
    }
}
