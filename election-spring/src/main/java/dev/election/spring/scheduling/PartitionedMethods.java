package dev.election.spring.scheduling;

import static dev.election.spring.annotation.ElectionAnnotation.PARTITIONED;

import dev.election.partitions.PartitionGroup;
import dev.election.partitions.Partitions;
import dev.election.spring.internal.slot.SlotTaskScheduler;
import java.lang.reflect.Method;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * The scheduled methods that are called for each partition. Spring reads their annotations and hands its tasks to the scheduler; those of these methods
 * are taken out there, and each begins a schedule for each partition that is led.
 */
public final class PartitionedMethods implements DisposableBean {

    private final Supplier<Map<Method, String>> methods;
    private final Supplier<Partitions> partitions;
    private final Function<String, @Nullable Integer> threads;
    private final Map<String, PartitionThreads> pools = new ConcurrentHashMap<>();
    private volatile Supplier<Clock> clock = Clock::systemDefaultZone;

    /**
     * Creates the methods of a context.
     *
     * @param methods those that were found so far, with their groups
     * @param partitions called when there is such a method
     * @param threads the number of threads of a group, {@code null} for as many as partitions are led
     */
    public PartitionedMethods(
            Supplier<Map<Method, String>> methods,
            Supplier<Partitions> partitions,
            Function<String, @Nullable Integer> threads) {
        this.methods = methods;
        this.partitions = partitions;
        this.threads = threads;
    }

    @Override
    public void destroy() {
        pools.values().forEach(PartitionThreads::close);
    }

    /** Sets the clock by which schedules run from now on. */
    void by(Supplier<Clock> used) {
        clock = used;
    }

    /** Runs a task on the threads of a group, after a pause. */
    void later(String group, Duration pause, Runnable task) {
        ScheduledFuture<?> unused = threadsOf(group)
                .schedule(
                        task,
                        (by, same) -> by.schedule(same, by.getClock().instant().plus(pause)));
    }

    /** Takes a task of one of these methods, and returns what ends its schedules; {@code null} for another task. */
    @Nullable
    Runnable take(Runnable task, SlotTaskScheduler.@Nullable Plan plan) {
        Method method = methodOf(task);
        if (method == null) {
            return null;
        }
        if (plan == null) {
            throw PARTITIONED.invalid(
                    method,
                    "its @Scheduled has neither cron nor fixedDelay nor fixedRate, so that it would run once",
                    "Set one of them.");
        }
        return begin(task, methods.get().getOrDefault(method, ""), plan);
    }

    /** A task of Spring shows no more than the names of class and method; a scheduled method has no parameters. */
    private @Nullable Method methodOf(Runnable task) {
        String shown = task.toString();
        return methods.get().keySet().stream()
                .filter(method -> shown.equals(method.getDeclaringClass().getName() + "." + method.getName()))
                .findFirst()
                .orElse(null);
    }

    private Runnable begin(Runnable task, String name, SlotTaskScheduler.Plan plan) {
        PartitionGroup group = partitions.get().of(name);
        PartitionThreads pool = threadsOf(name);
        List<PartitionSchedule> schedules = IntStream.range(0, group.count())
                .mapToObj(index -> new PartitionSchedule(group.election(index), task, pool, plan))
                .toList();
        schedules.forEach(PartitionSchedule::listen);
        return () -> schedules.forEach(PartitionSchedule::end);
    }

    /** Whether no method is called for each partition. */
    boolean isEmpty() {
        return methods.get().isEmpty();
    }

    private PartitionThreads threadsOf(String group) {
        return pools.computeIfAbsent(
                group, missing -> new PartitionThreads(group, threads.apply(group), () -> clock.get()));
    }
}
