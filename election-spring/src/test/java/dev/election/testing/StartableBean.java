package dev.election.testing;

import org.springframework.context.SmartLifecycle;

/** A bean that runs between its start and its stop, and does nothing. */
public class StartableBean implements SmartLifecycle {

    private volatile boolean running;

    @Override
    public void start() {
        running = true;
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }
}
