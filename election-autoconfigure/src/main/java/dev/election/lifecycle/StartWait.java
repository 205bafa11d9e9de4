package dev.election.lifecycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Knows what the candidacy of this node waits for while the application starts, and tells it once if that takes long. */
final class StartWait {

    private static final Logger log = LoggerFactory.getLogger(StartWait.class);

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Candidacy candidacy;
    private final DelayedTasks tasks;

    /** {@code null} while nothing is waited for. Guarded by this, as is what follows. */
    private @Nullable Wait wait;

    private DelayedTasks.Planned telling = DelayedTasks.NOTHING_PLANNED;
    private boolean told;

    StartWait(Candidacy candidacy, DelayedTasks tasks) {
        this.candidacy = candidacy;
        this.tasks = tasks;
    }

    /** The application starts, on this thread. */
    synchronized void begin() {
        cancel();
        wait = new Wait(Thread.currentThread(), tasks.now());
        telling = tasks.after(PATIENCE, this::tell);
    }

    /** The application is ready. */
    synchronized void end() {
        if (told) {
            log.info("The application has started: this node takes part in its elections now");
        }
        cancel();
    }

    /** The application stops. */
    synchronized void cancel() {
        wait = null;
        told = false;
        telling.cancel();
    }

    synchronized Optional<PendingStart> pending() {
        return Optional.ofNullable(wait)
                .map(begun -> new PendingStart(StartingThread.position(begun.thread), action(), begun.since));
    }

    private synchronized void tell() {
        pending().ifPresent(start -> {
            told = true;
            log.warn(
                    "This node takes part in no election yet and can't lead: the start of the application has waited"
                            + " for {} s for {}. {}",
                    PATIENCE.toSeconds(),
                    start.waitsFor(),
                    start.action());
        });
    }

    private String action() {
        return switch (candidacy) {
            case AFTER_RUNNERS ->
                "If it is a runner that is not meant to return, set election.startup.candidacy=before-runners, or let"
                        + " it do its work on a thread of its own.";
            case BEFORE_RUNNERS -> "If it is not meant to return, let it do its work on a thread of its own.";
        };
    }

    /** By that thread, since then. */
    private record Wait(Thread thread, Instant since) {}
}
