package dev.election.lifecycle;

import dev.election.Election;
import dev.election.Elections;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
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

    private final Elections elections;
    private final Supplier<Set<String>> names;
    private final Duration longestStop;
    private final ApplicationContext context;
    private volatile boolean running;

    /**
     * Creates the lifecycle.
     *
     * @param context the context whose start and stop count
     * @param elections what to start and stop
     * @param names the elections to take part in, asked for at the start
     * @param longestStop after this long the application goes on to stop, whatever the elections do
     */
    public ElectionLifecycle(
            ApplicationContext context, Elections elections, Supplier<Set<String>> names, Duration longestStop) {
        this.context = context;
        this.elections = elections;
        this.names = names;
        this.longestStop = longestStop;
    }

    @Override
    public void onApplicationEvent(ApplicationEvent event) {
        boolean ready = event instanceof ApplicationReadyEvent of && of.getApplicationContext() == context;
        boolean refreshed = event instanceof ContextRefreshedEvent of
                && of.getApplicationContext() == context
                && !context.containsLocalBean(DRIVEN_BY_BOOT);
        if (ready || refreshed) {
            begin();
        }
    }

    /** Not here: during the refresh the application is not ready to work. */
    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        try {
            elections.stop().toCompletableFuture().get(longestStop.toMillis(), TimeUnit.MILLISECONDS);
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
        Set<String> named = names.get();
        if (named.isEmpty()) {
            elections.get(Election.DEFAULT);
        }
        named.forEach(elections::get);
        elections.start();
    }
}
