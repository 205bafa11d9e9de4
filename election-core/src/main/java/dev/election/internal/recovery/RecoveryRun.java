package dev.election.internal.recovery;

import dev.election.LeaderWork;
import dev.election.engine.Loop;
import dev.election.internal.requests.EngineContext;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the recoveries of one leadership one after another, on threads for callbacks. Used on the loop only, unless stated otherwise. */
public final class RecoveryRun {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Time after which a recovery that was interrupted and has not returned is logged. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final List<Recoveries.Named> recoveries;
    private final Duration atMost;
    private final LeaderWork work;
    private final EngineContext context;
    private final Recovery owner;
    private int next;
    private boolean isOccupying;

    /** The alarm at the end of the time for a recovery, or of {@link #GRACE}. */
    private Loop.@Nullable Alarm limit;

    /** Whether the leadership has ended, or the recoveries have succeeded or failed. Written on the loop only. */
    private volatile boolean isOver;

    /** The recovery that runs without a thread, {@code null} if there is none. */
    private @Nullable CompletableFuture<Void> preparing;

    /** The thread of the recovery that runs. Guarded by this. */
    private @Nullable Thread recovering;

    /**
     * @param recoveries at least one
     * @param atMost the longest time for each recovery
     * @param work the leader work of the recoveries; closed when none of them runs any more
     */
    RecoveryRun(
            List<Recoveries.Named> recoveries,
            Duration atMost,
            LeaderWork work,
            EngineContext context,
            Recovery owner) {
        this.recoveries = recoveries;
        this.atMost = atMost;
        this.work = work;
        this.context = context;
        this.owner = owner;
    }

    void start() {
        if (!isOver) {
            isOccupying = true;
            owner.occupies(true);
        }
        startNext();
    }

    private void startNext() {
        if (isOver) {
            end();
            return;
        }
        Recoveries.Named recovery = recoveries.get(next);
        owner.begins(recovery.name());
        limit = alarm(atMost, () -> fail(recovery, "it took longer than " + ReadableDuration.of(atMost)));
        if (recovery.recovery() instanceof Preparation preparation) {
            preparing = preparation.begin(work.token());
            CompletableFuture<Void> unused =
                    preparing.whenComplete((done, failure) -> context.loop().offer(() -> returned(recovery, failure)));
            return;
        }
        try {
            context.callbacks().execute(() -> recover(recovery));
        } catch (RuntimeException | Error rejected) {
            end();
            fail(recovery, rejected.toString());
        }
    }

    /** Ends the run, and interrupts the recovery that runs. */
    void stop() {
        boolean isNews = !isOver;
        isOver = true;
        if (isNews) {
            cancelLimit();
        }
        if (preparing != null) {
            preparing.cancel(false);
        }
        synchronized (this) {
            if (recovering != null) {
                recovering.interrupt();
                limit = isNews ? alarm(GRACE, this::warn) : limit;
            }
        }
    }

    private void warn() {
        log.warn(
                "The recovery '{}' of the election '{}' has not returned {} after it was interrupted. This node does not"
                        + " campaign until it has: let the recovery end when it is interrupted, or restart this node",
                recoveries.get(next).name(),
                work.election().name(),
                ReadableDuration.of(GRACE));
    }

    /** Releases the work, since no recovery runs any more. */
    private void end() {
        cancelLimit();
        work.close();
        if (isOccupying) {
            isOccupying = false;
            owner.occupies(false);
        }
    }

    /** Runs a recovery. On a thread for callbacks. */
    private void recover(Recoveries.Named recovery) {
        @Nullable Throwable failure = null;
        synchronized (this) {
            recovering = Thread.currentThread();
        }
        try (LeaderWork.Scope scope = work.onThisThread()) {
            if (!isOver) {
                recovery.recovery().recover(work);
            }
        } catch (Throwable thrown) {
            failure = thrown;
            if (!isOver) {
                log.error(
                        "The recovery '{}' of the election '{}' failed",
                        recovery.name(),
                        work.election().name(),
                        thrown);
            }
        } finally {
            synchronized (this) {
                recovering = null;
            }
            // The interruption was for the recovery, not for the thread of the executor.
            boolean unused = Thread.interrupted();
        }
        Throwable thrown = failure;
        context.loop().offer(() -> returned(recovery, thrown));
    }

    private void returned(Recoveries.Named recovery, @Nullable Throwable failure) {
        if (isOver) {
            end();
        } else if (failure != null) {
            end();
            fail(recovery, failure.toString());
        } else if (++next < recoveries.size()) {
            cancelLimit();
            startNext();
        } else {
            stop();
            end();
            owner.recovered();
        }
    }

    private void fail(Recoveries.Named recovery, String reason) {
        if (!isOver) {
            stop();
            owner.failed(recovery.name(), reason);
        }
    }

    private Loop.Alarm alarm(Duration pause, Runnable task) {
        return context.loop().alarm(context.clock().nanos() + pause.toNanos(), task);
    }

    private void cancelLimit() {
        if (limit != null) {
            limit.cancel();
        }
    }
}
