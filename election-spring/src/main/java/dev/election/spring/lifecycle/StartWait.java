package dev.election.spring.lifecycle;

import dev.election.spring.Candidacy;
import dev.election.spring.internal.delay.DelayedTasks;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tracks what the candidacy of this node waits for while the application starts, and logs it once if that takes long. */
final class StartWait {

    private static final Logger log = LoggerFactory.getLogger(StartWait.class);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Candidacy candidacy;
    private final Supplier<Optional<PendingStart>> known;
    private final DelayedTasks tasks;

    /** The present wait, {@code null} if there is none. Guarded by this, as are the following fields. */
    private @Nullable Wait wait;

    private DelayedTasks.Planned telling = DelayedTasks.NOTHING_PLANNED;
    private boolean told;

    /**
     * @param known the part of the start that is waited for where it is known otherwise than by the stack
     */
    StartWait(Candidacy candidacy, Supplier<Optional<PendingStart>> known, DelayedTasks tasks) {
        this.candidacy = candidacy;
        this.known = known;
        this.tasks = tasks;
    }

    /** Begins to wait, since the application starts on this thread. */
    synchronized void begin() {
        cancel();
        wait = new Wait(Thread.currentThread(), tasks.now());
        telling = tasks.after(PATIENCE, this::tell);
    }

    /** Ends the wait, since the application is ready. */
    synchronized void end() {
        if (told) {
            log.info("The application has started: this node now takes part in its elections");
        }
        cancel();
    }

    /** Cancels the wait, since the application stops. */
    synchronized void cancel() {
        wait = null;
        told = false;
        telling.cancel();
    }

    synchronized Optional<PendingStart> pending() {
        return Optional.ofNullable(wait).map(begun -> known.get()
                .orElseGet(() -> new PendingStart(StartingThread.position(begun.thread), action(), begun.since)));
    }

    private synchronized void tell() {
        pending().ifPresent(start -> {
            told = true;
            log.warn(
                    "This node does not take part in any election yet and can't lead: the start of the application has been"
                            + " waiting for {} s for {}. {}",
                    PATIENCE.toSeconds(),
                    start.waitsFor(),
                    start.action());
        });
    }

    private String action() {
        return switch (candidacy) {
            case AFTER_RUNNERS ->
                "If this is a runner that is not meant to return, set election.startup.candidacy=before-runners, or move"
                        + " its work to another thread.";
            case BEFORE_RUNNERS -> "If this call is not meant to return, move its work to another thread.";
        };
    }

    /** A wait for the thread that starts the application, since that time. */
    private record Wait(Thread thread, Instant since) {}
}
