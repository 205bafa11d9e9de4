package dev.election.scheduling;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.aop.JobGate;
import dev.election.ledger.SchedulerLedger;
import dev.election.text.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job that is not started again for some time after anybody has started it, by the clock of the store. Each start is recorded, and that
 * answered, before the method is called.
 */
final class SpacedJob implements JobGate.Job {

    private static final Logger log = LoggerFactory.getLogger(SpacedJob.class);

    private final String name;
    private final String election;
    private final Duration atLeastFor;

    /** The ledger of that leadership, {@code null} before it is open. */
    private final BiFunction<String, FencingToken, @Nullable SchedulerLedger> ledgers;

    /** Whether it was said why the first start has to wait. */
    private volatile boolean told;

    /** Whether a start is being recorded; other calls are skipped meanwhile. Guarded by this. */
    private boolean isStarting;

    SpacedJob(
            String name,
            String election,
            Duration atLeastFor,
            BiFunction<String, FencingToken, @Nullable SchedulerLedger> ledgers) {
        this.name = name;
        this.election = election;
        this.atLeastFor = atLeastFor;
        this.ledgers = ledgers;
    }

    String election() {
        return election;
    }

    @Override
    public Optional<LeaderWork> enter(LeaderWork work) {
        SchedulerLedger ledger = ledgers.apply(election, work.token());
        if (ledger != null && begin()) {
            try {
                if (start(ledger, work)) {
                    return Optional.of(work);
                }
            } finally {
                end();
            }
        }
        work.close();
        return Optional.empty();
    }

    private boolean start(SchedulerLedger ledger, LeaderWork work) {
        long last = ledger.lastStart(name);
        long now = ledger.storeTime();
        Long recorded = ledger.recordedStart(name);
        if (recorded != null && recorded > now) {
            log.warn(
                    "'{}' is recorded as started in the future: the clock of the store was set back. It counts as started now, and is started again after {}",
                    name,
                    ReadableDuration.of(atLeastFor));
            CompletionStage<Boolean> unused = ledger.recordStart(name, now);
            return false;
        }
        if (last > now - atLeastFor.toMillis()) {
            withheld(recorded != null, last);
            return false;
        }
        CompletionStage<Boolean> answer = ledger.recordStart(name, now);
        if (ledger.isConfirmed(answer) && work.isCurrent()) {
            return true;
        }
        log.warn(
                "'{}' is not started now: {}. It is tried again at its next time",
                name,
                work.isCurrent()
                        ? "the store did not confirm that its start is recorded"
                        : "leadership of the election '" + election + "' ended while its start was recorded");
        ledger.forgetStart(name, last);
        return false;
    }

    private void withheld(boolean isStartKnown, long last) {
        if (isStartKnown || told) {
            log.debug(
                    "'{}' is not started: it may have been started less than {} ago",
                    name,
                    ReadableDuration.of(atLeastFor));
            return;
        }
        told = true;
        log.info(
                "'{}' is not started before {}: the store was restarted or replaced, and it may have lost that the job was started",
                name,
                Instant.ofEpochMilli(last).plus(atLeastFor));
    }

    private synchronized boolean begin() {
        boolean isFree = !isStarting;
        isStarting = true;
        return isFree;
    }

    private synchronized void end() {
        isStarting = false;
    }
}
