package dev.election.internal.election;

import dev.election.engine.Loop;
import java.util.ArrayList;
import java.util.List;

/** The election thread of one of several processes in a test, whose time is that of one loop. The process may die or stall. */
public final class ProcessLoop implements Loop {

    private final HandDrivenLoop shared;
    private final List<Runnable> stalled = new ArrayList<>();
    private boolean isDead;
    private boolean isStalled;

    public ProcessLoop(HandDrivenLoop shared) {
        this.shared = shared;
    }

    /** Runs nothing any more. */
    public void die() {
        isDead = true;
    }

    /** Runs nothing until {@link #resume}. */
    public void stall() {
        isStalled = true;
    }

    public void resume() {
        isStalled = false;
        stalled.forEach(shared::execute);
        stalled.clear();
    }

    private void whileAlive(Runnable task) {
        if (isStalled) {
            stalled.add(task);
        } else if (!isDead) {
            task.run();
        }
    }

    @Override
    public void execute(Runnable task) {
        shared.execute(() -> whileAlive(task));
    }

    @Override
    public void executeHere(Runnable task) {
        execute(task);
    }

    @Override
    public void aside(Runnable errand) {
        shared.aside(errand);
    }

    @Override
    public Alarm alarm(long at, Runnable task) {
        return shared.alarm(at, () -> whileAlive(task));
    }
}
