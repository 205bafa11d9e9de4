package dev.election.spring.bound;

import dev.election.AbdicationOutcome;
import dev.election.LeaderWork;
import dev.election.spring.internal.delay.DelayedTasks;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;

/**
 * A bean during one leadership of this node, from its first start until it has been stopped. A failed start is retried until it succeeds or
 * leadership ends: first after a second, then at growing intervals up to a minute. Where that is asked for, leadership is given up after the fifth failure.
 */
final class LeaderBoundRun {

    private static final Logger log = LoggerFactory.getLogger(LeaderBoundRun.class);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
    private static final int FAILURES_FOR_GOOD = 5;

    private final String name;
    private final Lifecycle bean;
    private final LeaderWork work;
    private final Duration patience;
    private final DelayedTasks retries;
    private final boolean givesUp;

    /** The last failure to start, {@code null} after a success. */
    private volatile @Nullable FailedStart failedStart;

    /** Held while the bean is started or stopped, for as long as it takes. Guards what follows. */
    private final ReentrantLock turn = new ReentrantLock();

    private int failures;

    /** Whether the bean was started, at least in part. */
    private boolean begun;

    private DelayedTasks.Planned retry = DelayedTasks.NOTHING_PLANNED;
    private boolean stopped;

    /** Whether the run is over, also if the bean has not stopped yet. */
    private volatile boolean ended;

    /** Completes when the bean has stopped, so that the next run may start it. */
    private final CompletableFuture<Void> released = new CompletableFuture<>();

    /**
     * @param name the name of the bean
     * @param bean what to start and stop
     * @param work admitted under the leadership, open until the bean has stopped
     * @param patience how long to wait for the bean to stop
     * @param retries runs the next attempt after a failed start
     * @param givesUp whether leadership is given up when the start has failed several times
     */
    LeaderBoundRun(
            String name, Lifecycle bean, LeaderWork work, Duration patience, DelayedTasks retries, boolean givesUp) {
        this.name = name;
        this.bean = bean;
        this.work = work;
        this.patience = patience;
        this.retries = retries;
        this.givesUp = givesUp;
    }

    /** Why the bean is not started, empty if it is. */
    Optional<FailedStart> failedStart() {
        return Optional.ofNullable(failedStart);
    }

    /** Whether this is a run of that bean, and not over. */
    boolean isOf(String bean) {
        return name.equals(bean) && !ended;
    }

    CompletableFuture<Void> released() {
        return released;
    }

    /** Starts the bean, later and on another thread if the run before has not released it yet. Never throws. */
    void startAfter(CompletableFuture<Void> before) {
        turn.lock();
        try {
            if (before.isDone()) {
                startBean();
            } else {
                await(before);
            }
        } finally {
            turn.unlock();
        }
    }

    private void await(CompletableFuture<Void> before) {
        log.warn(
                "The leader-only bean '{}' of the election '{}' has not stopped yet after the end of its last run: it is started when it has",
                name,
                election());
        failedStart = new FailedStart(name, "it has not stopped yet after the end of its last run", retries.now(), 0);
        CompletableFuture<Void> unused = before.thenRun(() -> retries.after(Duration.ZERO, this::startAgain));
    }

    /** Whether this node no longer leads as it did when the bean was started. */
    boolean isOutlived() {
        return !work.isCurrent();
    }

    /**
     * Stops the bean; also one whose start has failed, since it may have been started in part. One that is being started at the moment
     * is waited for, but no longer than for its stop: then it is stopped when it has returned.
     */
    void stop() {
        ended = true;
        if (!isStoppedWithin(patience)) {
            log.warn(
                    "The leader-only bean '{}' of the election '{}' has not returned from its start within {}: another node may lead while it works",
                    name,
                    election(),
                    ReadableDuration.of(patience));
        }
    }

    /** Does the same as {@link #stop()} and returns {@code true}, unless the bean is being started or stopped at the moment. */
    boolean stopUnlessBusy() {
        return isStoppedWithin(Duration.ZERO);
    }

    /** Takes the turn if it is free within that time. An interrupted thread takes a free turn, too, but does not wait. */
    static boolean hasTurnWithin(Duration wait, ReentrantLock turn) {
        try {
            return turn.tryLock() || turn.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean isStoppedWithin(Duration wait) {
        if (!hasTurnWithin(wait, turn)) {
            return false;
        }
        try {
            end();
            return true;
        } finally {
            turn.unlock();
        }
    }

    private void startBean() {
        begun = true;
        try (LeaderWork.Scope scope = work.onThisThread()) {
            if (failures > 0 && bean.isRunning()) {
                // The start has failed after a part of it.
                stopBean(() -> {});
            }
            bean.start();
            started();
        } catch (Exception | LinkageError failure) {
            if (ended) {
                log.debug("The start of the bean '{}' failed when '{}' was no longer led", name, election(), failure);
            } else {
                failed(failure);
            }
        }
    }

    private void end() {
        ended = true;
        failedStart = null;
        retry.cancel();
        if (stopped) {
            return;
        }
        stopped = true;
        if (!begun) {
            work.close();
            return;
        }
        try (LeaderWork closed = work;
                LeaderWork.Scope scope = work.onThisThread()) {
            stopBean(() -> released.complete(null));
        } catch (RuntimeException failure) {
            released.complete(null);
            log.error(
                    "Failed to stop the bean '{}' although this node no longer leads the election '{}': it may still do its work",
                    name,
                    election(),
                    failure);
        }
    }

    private void started() {
        if (failures > 0) {
            log.info(
                    "The leader-only bean '{}' of the election '{}' has started after {} failed attempts",
                    name,
                    election(),
                    failures);
        }
        failures = 0;
        failedStart = null;
    }

    private void failed(Throwable failure) {
        failures++;
        Duration pause = pauseAfter(failures);
        tell(failure, pause);
        FailedStart before = failedStart;
        Instant since = before == null ? retries.now() : before.since();
        failedStart = new FailedStart(name, FailedStart.reason(failure), since, failures);
        if (givesUp && failures == FAILURES_FOR_GOOD && work.isCurrent()) {
            CompletionStage<AbdicationOutcome> unused =
                    work.election().giveUp("the start of the bean " + name + " has failed " + failures + " times");
        }
        retry = retries.after(pause, this::startAgain);
    }

    /** Starts the bean again, unless leadership has ended a moment ago. It may also end meanwhile. */
    private void startAgain() {
        turn.lock();
        try {
            if (!ended && work.isCurrent()) {
                startBean();
            }
            if (ended) {
                end();
            }
            if (!begun) {
                released.complete(null);
            }
        } finally {
            turn.unlock();
        }
    }

    /** Logs the first failure, the second, the fourth, the eighth and so on. */
    private void tell(Throwable failure, Duration pause) {
        if (failures == 1) {
            log.error(
                    "Failed to start the bean '{}' although this node leads the election '{}': its work is not done. The start"
                            + " is retried after {} and then at growing intervals, until it succeeds or leadership ends."
                            + " Abdicate to let another node try",
                    name,
                    election(),
                    ReadableDuration.of(pause),
                    failure);
        } else if (Integer.bitCount(failures) == 1) {
            log.error(
                    "The start of the bean '{}' still fails although this node leads the election '{}': {} failed attempts,"
                            + " the last with {}. The start is retried after {}",
                    name,
                    election(),
                    failures,
                    FailedStart.reason(failure),
                    ReadableDuration.of(pause));
        }
    }

    private static Duration pauseAfter(int failures) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private void stopBean(Runnable whenStopped) {
        if (!(bean instanceof SmartLifecycle smart)) {
            bean.stop();
            whenStopped.run();
            return;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        smart.stop(() -> {
            stopped.countDown();
            whenStopped.run();
        });
        try {
            if (!stopped.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                log.warn(
                        "The bean '{}' did not stop within {} (election.shutdown.await): another node may lead '{}' while it still works",
                        name,
                        ReadableDuration.of(patience),
                        election());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String election() {
        return work.election().name();
    }
}
