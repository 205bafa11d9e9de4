package dev.election;

import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The leader work of a thread. A node that resigns admits no new work, but it admits parts of running work under the same leadership, so
 * that a guarded method can call other guarded methods until it returns.
 *
 * <p>Guards use the work of their thread, also in the body of an {@code @Async} method and where a guarded publisher subscribes to another
 * one. Code that moves a part of its work to other threads must pass the work explicitly:
 *
 * <pre>{@code
 * @LeaderOnly
 * public CompletableFuture<Report> build() {
 *     return CompletableFuture.supplyAsync(orders::load, CurrentWork.get().on(pool));
 * }
 * }</pre>
 *
 * <p>In Kotlin coroutines use {@code dev.election.spring.coroutines.CurrentWorkElement}, with Reactor
 * {@code dev.election.spring.reactor.CurrentWorkContext}.
 */
public final class CurrentWork {

    private static final CurrentWork NONE = new CurrentWork(null, null);

    private static final ThreadLocal<@Nullable CurrentWork> CURRENT = new ThreadLocal<>();

    private final @Nullable LeaderWork innermost;

    /** Work of other elections only: the latest work of an election replaces earlier work of it, so the chain stays short. */
    private final @Nullable CurrentWork around;

    private CurrentWork(@Nullable LeaderWork innermost, @Nullable CurrentWork around) {
        this.innermost = innermost;
        this.around = around;
    }

    /** Returns the current work of this thread. The returned object does not change when the thread begins other work. */
    public static CurrentWork get() {
        CurrentWork current = CURRENT.get();
        return current == null ? NONE : current;
    }

    /** No work, for a thread that shall be part of none. */
    public static CurrentWork none() {
        return NONE;
    }

    /** Makes this the current work of the calling thread until the scope is closed. This does not keep the work running. */
    public LeaderWork.Scope onThisThread() {
        CurrentWork before = CURRENT.get();
        set(this);
        return () -> set(before);
    }

    /**
     * Returns an executor that runs its tasks with this as the current work. This does not keep the work running: a task may begin
     * after its end.
     */
    public Executor on(Executor executor) {
        return task -> executor.execute(() -> {
            try (LeaderWork.Scope scope = onThisThread()) {
                task.run();
            }
        });
    }

    /**
     * Admits a part of the work of an election, as {@link LeaderWork#beginPart()} does; empty if this contains no work of it, or that has ended.
     */
    public Optional<LeaderWork> beginPart(Election election) {
        if (innermost == null || around == null) {
            return Optional.empty();
        }
        return innermost.election() == election ? innermost.beginPart() : around.beginPart(election);
    }

    /** Adds that work to the current work of this thread until the scope is closed. */
    static LeaderWork.Scope begin(LeaderWork work) {
        CurrentWork before = CURRENT.get();
        CURRENT.set((before == null ? NONE : before).with(work));
        return () -> set(before);
    }

    private CurrentWork with(LeaderWork work) {
        return new CurrentWork(work, without(work.election()));
    }

    private CurrentWork without(Election election) {
        if (innermost == null || around == null) {
            return this;
        }
        CurrentWork rest = around.without(election);
        return innermost.election() == election ? rest : rest == around ? this : new CurrentWork(innermost, rest);
    }

    /**
     * Returns the work of an election that this contains, at whatever level; empty if there is none. The caller must not close it.
     */
    public Optional<LeaderWork> work(Election election) {
        if (innermost == null || around == null) {
            return Optional.empty();
        }
        return innermost.election() == election ? Optional.of(innermost) : around.work(election);
    }

    /** The innermost work, empty if there is no work. The caller must not close it. */
    public Optional<LeaderWork> innermost() {
        return Optional.ofNullable(innermost);
    }

    /** The token of the innermost work, empty if there is no work. */
    public Optional<FencingToken> token() {
        return innermost().map(LeaderWork::token);
    }

    /** The scheduled time for which this work is done, also where it has begun work of another election; empty if there is none. */
    public Optional<ScheduledSlot> slot() {
        if (innermost == null || around == null) {
            return Optional.empty();
        }
        Optional<ScheduledSlot> slot = innermost.slot();
        return slot.isPresent() ? slot : around.slot();
    }

    /** The partition that this is work of, also where it has begun work of another election; empty if there is none. */
    public Optional<Partition> partition() {
        if (innermost == null || around == null) {
            return Optional.empty();
        }
        Optional<Partition> partition = innermost.partition();
        return partition.isPresent() ? partition : around.partition();
    }

    private static void set(@Nullable CurrentWork work) {
        // Not removed: guarded calls of one thread follow each other, and a new entry costs more than the call.
        CURRENT.set(work == null || work.innermost == null ? null : work);
    }
}
