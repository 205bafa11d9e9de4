package dev.election.spring.scheduling;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.Trigger;
import org.springframework.scheduling.support.SimpleTriggerContext;

/** A scheduler of one thread, that of the test, which also makes the time pass. */
final class HandDrivenScheduler implements TaskScheduler {

    /** What the ledgers answer is planned from other threads. */
    private final List<Planned> planned = new CopyOnWriteArrayList<>();

    private volatile Instant now;

    HandDrivenScheduler(Instant now) {
        this.now = now;
    }

    Instant now() {
        return now;
    }

    /** Makes the time pass and runs what is due, in the order of its time. */
    void advanceTo(Instant time) {
        while (true) {
            Planned next = planned.stream()
                    .min(Comparator.comparing(Planned::at))
                    .filter(first -> !first.at.isAfter(time))
                    .orElse(null);
            if (next == null) {
                now = time.isAfter(now) ? time : now;
                return;
            }
            planned.remove(next);
            now = next.at.isAfter(now) ? next.at : now;
            next.task.run();
        }
    }

    void advance(Duration time) {
        advanceTo(now.plus(time));
    }

    @Override
    public Clock getClock() {
        return new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
    }

    @Override
    public @Nullable ScheduledFuture<?> schedule(Runnable task, Trigger trigger) {
        plan(task, trigger, new SimpleTriggerContext(getClock()));
        return null;
    }

    @Override
    @SuppressWarnings("NullAway") // No test asks for it.
    public ScheduledFuture<?> schedule(Runnable task, Instant startTime) {
        planned.add(new Planned(startTime, task));
        return null;
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Instant startTime, Duration period) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable task, Duration period) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Instant startTime, Duration delay) {
        throw new UnsupportedOperationException();
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, Duration delay) {
        throw new UnsupportedOperationException();
    }

    /** As Spring's schedulers do: the next time is asked for when the task has run. */
    private void plan(Runnable task, Trigger trigger, SimpleTriggerContext context) {
        Instant next = trigger.nextExecution(context);
        if (next != null) {
            planned.add(new Planned(next, () -> {
                Instant began = now;
                task.run();
                context.update(next, began, now);
                plan(task, trigger, context);
            }));
        }
    }

    private record Planned(Instant at, Runnable task) {}
}
