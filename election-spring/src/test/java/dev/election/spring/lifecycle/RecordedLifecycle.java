package dev.election.spring.lifecycle;

import java.util.List;
import org.springframework.context.SmartLifecycle;

/** Writes down what happens to it. */
public class RecordedLifecycle implements SmartLifecycle {

    private final String name;
    private final int phase;
    private final List<String> trace;
    private volatile boolean running;

    public RecordedLifecycle(String name, int phase, List<String> trace) {
        this.name = name;
        this.phase = phase;
        this.trace = trace;
    }

    @Override
    public void start() {
        trace.add("start " + name);
        running();
    }

    /** From now on it says that it runs. */
    public final void running() {
        running = true;
    }

    @Override
    public void stop() {
        trace.add("stop " + name);
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return phase;
    }

    @Override
    public String toString() {
        return name;
    }
}
