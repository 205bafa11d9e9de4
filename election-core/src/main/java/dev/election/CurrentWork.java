package dev.election;

import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The leader work that a thread does. A node that is about to resign admits nothing new, but it does admit a part of work that
 * still runs under the same leadership: that is how a guarded method calls another one until its end.
 *
 * <p>Guards find the work of their thread by themselves, also in the body of an {@code @Async} method and where a guarded publisher
 * subscribes to another one. Code that hands a part of its work to other threads on its own takes the work along:
 *
 * <pre>{@code
 * @LeaderOnly
 * public CompletableFuture<Report> build() {
 *     return CompletableFuture.supplyAsync(orders::load, CurrentWork.get().on(pool));
 * }
 * }</pre>
 *
 * <p>In Kotlin coroutines {@code dev.election.coroutines.CurrentWorkElement} does so.
 */
public final class CurrentWork {

    private static final CurrentWork NONE = new CurrentWork(null, null);

    private static final ThreadLocal<@Nullable CurrentWork> CURRENT = new ThreadLocal<>();

    private final @Nullable LeaderWork innermost;

    /** Work of other elections only: what was begun last in an election stands for it, and the chain stays short. */
    private final @Nullable CurrentWork around;

    private CurrentWork(@Nullable LeaderWork innermost, @Nullable CurrentWork around) {
        this.innermost = innermost;
        this.around = around;
    }

    /** What this thread does now; it stays the same when the thread goes on to something else. */
    public static CurrentWork get() {
        CurrentWork current = CURRENT.get();
        return current == null ? NONE : current;
    }

    /** Makes this the work of the calling thread until the scope is closed. Neither keeps the work running. */
    public LeaderWork.Scope onThisThread() {
        CurrentWork before = CURRENT.get();
        set(this);
        return () -> set(before);
    }

    /** An executor that does the tasks given to it as parts of this work. */
    public Executor on(Executor executor) {
        return task -> executor.execute(() -> {
            try (LeaderWork.Scope scope = onThisThread()) {
                task.run();
            }
        });
    }

    /** Asks for admission as a part of the work of that election, as {@link LeaderWork#beginPart()}; empty if there is none. */
    public Optional<LeaderWork> beginPart(Election election) {
        if (innermost == null || around == null) {
            return Optional.empty();
        }
        return innermost.election() == election ? innermost.beginPart() : around.beginPart(election);
    }

    /** Makes that work, within what this thread does now, the work of this thread until the scope is closed. */
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

    /** The token of this work, empty if it is none. */
    public Optional<FencingToken> token() {
        return Optional.ofNullable(innermost).map(LeaderWork::token);
    }

    private static void set(@Nullable CurrentWork work) {
        // Not removed: guarded calls of one thread follow each other, and a new entry costs more than the call.
        CURRENT.set(work == null || work.innermost == null ? null : work);
    }
}
