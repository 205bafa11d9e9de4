package dev.election.internal.election;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Queue;
import java.util.TreeSet;

/** The election thread and both clocks, moved by the test alone. */
public final class HandDrivenLoop implements Loop, Clock {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final TreeSet<Waiting> alarms =
            new TreeSet<>(Comparator.comparingLong(Waiting::at).thenComparingLong(Waiting::number));
    private long numbers;
    private volatile long now = 1_000_000_000;

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    @Override
    public void executeHere(Runnable task) {
        execute(task);
    }

    @Override
    public void aside(Runnable errand) {
        errand.run();
    }

    @Override
    public Alarm alarm(long at, Runnable task) {
        Waiting waiting = new Waiting(at, numbers++, task);
        alarms.add(waiting);
        return () -> alarms.remove(waiting);
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Instant wall() {
        return BEGIN.plusNanos(now);
    }

    public long millis() {
        return BEGIN.toEpochMilli() + now / 1_000_000;
    }

    /** Does all that is to do without time passing. */
    public void settle() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Lets time pass, with everything that falls due on the way. */
    public void pass(Duration time) {
        settle();
        long end = now + time.toNanos();
        while (!alarms.isEmpty() && alarms.first().at() <= end) {
            Waiting due = alarms.first();
            alarms.remove(due);
            now = Math.max(now, due.at());
            due.task().run();
            settle();
        }
        now = end;
        settle();
    }

    public boolean isIdle() {
        return tasks.isEmpty() && alarms.isEmpty();
    }

    /** As a process that is stopped: time passes, and nothing happens. */
    public void freeze(Duration time) {
        now = now + time.toNanos();
    }

    private record Waiting(long at, long number, Runnable task) {}
}
