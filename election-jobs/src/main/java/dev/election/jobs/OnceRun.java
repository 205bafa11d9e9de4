package dev.election.jobs;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderState.Saved;
import dev.election.LeaderState.WriteOutcome;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.StoreUnavailableException;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of {@link OnceRunner#run}: waits until the task is done, and runs it when this process leads its election. */
final class OnceRun implements LeadershipListener {

    private static final Logger log = LoggerFactory.getLogger(OnceRunner.class);

    private static final int MOST_TRIES = 3;

    private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

    /** How often a process says that it still waits for another one. */
    private static final Duration TELL_EVERY = Duration.ofMinutes(1);

    /** Longer than any request to a store may take. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    private final OnceRunner caller;
    private final String id;
    private final String version;
    private final Duration wait;
    private final Duration rest;
    private final LongSupplier nanos;
    private final ElectionEngine engine;
    private final Election election;
    private final OnceRunner.Task task;

    private final Semaphore changes = new Semaphore(0);

    /** The thread of the task and the token under which it runs, {@code null} while it does not. Guarded by this. */
    private @Nullable Thread runner;

    private @Nullable FencingToken token;

    /** Whether that thread was interrupted since the leadership has ended. Guarded by this. */
    private boolean interrupted;

    private OnceRecord record = OnceRecord.NONE;

    /** Whether the task was done by this process. */
    private boolean ran;

    /** The number of failures in this process, and the latest one. */
    private int failures;

    private @Nullable Throwable failure;

    /** The reason for which the store has not answered last, {@code null} if it has. */
    private @Nullable Throwable problem;

    /** The latest time at which a leader was known, or the beginning. */
    private long led;

    /** Lines that this process waits for a leader. */
    private final LogLimit waits = LogLimit.every(TELL_EVERY);

    /** Creates a call with the present settings of its caller. */
    OnceRun(OnceRunner caller, String id, OnceRunner.Task task, ElectionEngine engine) {
        this.caller = caller;
        this.id = id;
        this.version = caller.version;
        this.wait = caller.wait;
        this.rest = caller.timing.lease();
        this.nanos = caller.nanos;
        this.engine = engine;
        this.election = engine.get(OnceRunner.election(id));
        this.task = task;
        this.led = nanos.getAsLong();
    }

    /** Returns whether this process has run the task. */
    boolean run() throws InterruptedException {
        boolean isDone = isDone();
        // Several processes that make the table of a store at once may be refused in the first moment.
        for (int tries = 1; problem instanceof StoreUnavailableException refused && isRefusal(refused); tries++) {
            if (tries == MOST_TRIES) {
                throw new ElectionConfigurationException(
                        "The task '" + id + "' can't run once: " + refused.getAction(),
                        "Do so before the application starts. A task can't make what its own election needs.",
                        refused);
            }
            boolean unused = awaitChange();
            isDone = isDone();
        }
        if (!isDone) {
            election.addListener(this);
            engine.start();
        }
        while (!isDone) {
            boolean hasChanged = awaitChange();
            Optional<LeaderWork> leading = election.beginWork();
            if (leading.isPresent()) {
                isDone = lead(leading.get());
            } else if (hasChanged || problem != null) {
                isDone = isDone();
            }
        }
        return ran;
    }

    /** Whether somebody has to solve the problem. A store that is away is waited for. */
    private static boolean isRefusal(StoreUnavailableException failure) {
        return switch (failure.getProblem()) {
            case UNAUTHENTICATED, FORBIDDEN, WRONG_TYPE, UNKNOWN -> true;
            default -> false;
        };
    }

    @Override
    public void onEvent(LeadershipEvent event) {
        if (event instanceof LeadershipEvent.Lost lost) {
            interrupt(lost.token());
        }
        changes.release();
    }

    /** Returns whether the task is done. */
    private boolean lead(LeaderWork leading) throws InterruptedException {
        int before = failures;
        try (LeaderWork work = leading;
                LeaderWork.Scope scope = work.onThisThread()) {
            // Under its token: this shuts out earlier leaders.
            if (isDone()) {
                return true;
            }
            if (problem == null) {
                ran = attempt(work);
            }
        }
        if (failures > before) {
            failAfterThree();
            log.info("The task '{}' is tried again in {}, here or elsewhere", id, ReadableDuration.of(rest));
            rest();
            ask(election.abdicate(Abdication.toAnyone()));
        }
        return ran;
    }

    /** Keeps the others from trying at once: what the task needs may be away for a moment. */
    private void rest() throws InterruptedException {
        long end = nanos.getAsLong() + rest.toNanos();
        for (long left = rest.toNanos(); left > 0 && election.isLeader(); left = end - nanos.getAsLong()) {
            boolean unused = changes.tryAcquire(Math.min(left, LOOK_EVERY), TimeUnit.NANOSECONDS);
        }
    }

    private boolean attempt(LeaderWork work) throws InterruptedException {
        Throwable thrown = null;
        boolean isLost;
        begin(work.token());
        try {
            // A newer leader may have read the state before.
            if (!work.isCurrent()) {
                return false;
            }
            log.info("Runs the task '{}' under token {}", id, work.token());
            task.run(work);
        } catch (Throwable anything) {
            thrown = anything;
        } finally {
            isLost = end();
            led = nanos.getAsLong();
        }
        if (!isLost && work.isCurrent() && thrown instanceof InterruptedException interrupted) {
            throw interrupted;
        }
        if (thrown != null && caller.isStopped) {
            // No failure of the task. The lease is released, which an interrupted thread would not wait for.
            boolean unused = Thread.interrupted();
            throw new InterruptedException();
        }
        if (thrown == null) {
            return write(record.doneBy(engine.node(), version));
        }
        if (!work.isCurrent()) {
            log.warn(
                    "The leadership for the task '{}' ended while it ran. It is repeated, here or elsewhere",
                    id,
                    thrown);
            return false;
        }
        failures++;
        failure = thrown;
        // Before the write, which may take long or fail.
        log.warn("The task '{}' failed", id, thrown);
        boolean unused = write(record.failed(version, thrown));
        return false;
    }

    private synchronized void begin(FencingToken under) {
        runner = Thread.currentThread();
        token = under;
        interrupted = false;
    }

    private synchronized void interrupt(FencingToken ended) {
        if (runner != null && ended.equals(token)) {
            interrupted = true;
            runner.interrupt();
        }
    }

    /** Returns whether the thread was interrupted for the loss of the leadership, and is no more. */
    private synchronized boolean end() {
        runner = null;
        if (interrupted) {
            boolean unused = Thread.interrupted();
        }
        return interrupted;
    }

    private boolean isDone() throws InterruptedException {
        Optional<Saved> saved = ask(election.state().read());
        if (saved != null) {
            record = saved.map(Saved::text).map(OnceRecord::parse).orElse(OnceRecord.NONE);
            if (!record.isDone()) {
                failAfterThree();
            }
        }
        return saved != null && record.isDone();
    }

    /** Writes under the token of the work on this thread. Returns {@code false} if a newer leader has read the state before. */
    private boolean write(OnceRecord next) throws InterruptedException {
        while (true) {
            WriteOutcome outcome = ask(election.state().write(next.text()));
            if (outcome == WriteOutcome.WRITTEN) {
                record = next;
                return true;
            }
            if (outcome != null) {
                log.warn("The end of the task '{}' came after its leadership. It is repeated elsewhere", id);
                return false;
            }
            boolean unused = awaitChange();
        }
    }

    private <T> @Nullable T ask(CompletionStage<T> stage) throws InterruptedException {
        try {
            T answer = stage.toCompletableFuture().get(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            problem = null;
            return answer;
        } catch (ExecutionException | TimeoutException none) {
            problem = none.getCause() == null ? none : none.getCause();
            return null;
        }
    }

    /** Waits for an event, a second at most, and fails if nobody has led for too long. Returns whether there was one. */
    private boolean awaitChange() throws InterruptedException {
        boolean changed = changes.tryAcquire(LOOK_EVERY, TimeUnit.NANOSECONDS);
        int unused = changes.drainPermits();
        long now = nanos.getAsLong();
        // Without the store this process does not run it, though it leads.
        Leader leader = election.leader()
                .filter(known -> problem == null || !isSelf(known))
                .orElse(null);
        if (leader != null) {
            led = now;
            tell(leader, now);
        } else if (now - led >= wait.toNanos()) {
            throw new IllegalStateException(
                    "The task '" + id + "' is not done, and nobody has run it for " + ReadableDuration.of(wait),
                    problem);
        }
        return changed;
    }

    private void tell(Leader leader, long now) {
        if (!isSelf(leader) && waits.begins(leader, now)) {
            log.info("Waits for the task '{}', which {} runs since {}", id, leader.node(), leader.since());
        }
    }

    private boolean isSelf(Leader leader) {
        return leader.node().equals(engine.node());
    }

    private void failAfterThree() {
        if (Math.max(failures, record.failures(version)) >= MOST_TRIES) {
            throw new IllegalStateException(
                    "The task '" + id + "' has failed three times"
                            + (version.isEmpty() ? " in this process" : " in version '" + version + "'")
                            + ", the last time with " + record.latest(),
                    failure);
        }
    }
}
