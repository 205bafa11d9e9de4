package dev.election;

import java.time.Instant;
import java.util.Optional;

/**
 * The scheduled time for which a guarded job runs. It is known where slots are recorded: in a {@link LeaderOnly} or {@link
 * Partitioned} method with {@code @Scheduled(cron = ...)} and {@code recoverWithin}, and in what it calls.
 *
 * <pre>{@code
 * @Scheduled(cron = "0 0 3 * * *")
 * @LeaderOnly(recoverWithin = "2h", recover = Recover.EVERY)
 * public void bill() {
 *     Instant day = ScheduledSlot.current().map(ScheduledSlot::scheduledAt).orElseGet(Instant::now);
 *     ...
 * }
 * }</pre>
 *
 * @param job the name of the job
 * @param scheduledAt the time that the schedule names, however late the job runs
 * @param isRecovery whether the job runs late, since no leader ran it at its time
 * @param isRerun whether an earlier leader began this run and ended before the run did, or claimed it and is not known to have begun it
 */
public record ScheduledSlot(String job, Instant scheduledAt, boolean isRecovery, boolean isRerun) {

    /** The slot of the leader work of this thread, empty if it has none. */
    public static Optional<ScheduledSlot> current() {
        return CurrentWork.get().slot();
    }
}
