package dev.election.spring.scheduling;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.jobs.engine.SlotEngine;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.spring.calls.JobGate;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job that is not started again for some time after any node has started it, by the clock of the store. The store stamps each start when
 * it records it, and answers before the method is called, within a tenth of that time. A method that is called later than that is recorded
 * once more.
 */
final class SpacedJob implements JobGate.Job {

    private static final Logger log = LoggerFactory.getLogger(SpacedJob.class);

    private final String name;
    private final String election;
    private final Duration atLeastFor;

    /** How much later than recorded a job starts at most. */
    private final Duration slack;

    private final SlotEngine engine;

    /** Whether it was logged why the first start has to wait. */
    private final LogLimit told = LogLimit.once();

    /** The leadership in which it was logged that a start is not recorded, {@code null} if one was recorded since. */
    private volatile @Nullable FencingToken unconfirmedUnder;

    /** Whether a start is being recorded; other calls are skipped meanwhile. Guarded by this. */
    private boolean isStarting;

    /** The latest start by this node. Read and written by the one call that is starting. */
    private volatile @Nullable Start own;

    SpacedJob(String name, String election, Duration atLeastFor, SlotEngine engine) {
        this.name = name;
        this.election = election;
        this.atLeastFor = atLeastFor;
        this.slack = atLeastFor.dividedBy(10);
        this.engine = engine;
    }

    String election() {
        return election;
    }

    @Override
    public Optional<LeaderWork> enter(LeaderWork work) {
        SchedulerLedger ledger = engine.ledger(election, work.token());
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

    /** Records a start once more whose method is called late: the first call in a process may take longer than the slack. */
    @Override
    public LeaderWork begun(LeaderWork work) {
        SchedulerLedger ledger = engine.ledger(election, work.token());
        Start mine = own;
        if (ledger != null && mine != null && ledger.nanoTime() - mine.asked > slack.toNanos()) {
            ledger.startedNow(name);
            own = new Start(ledger.lastStart(name), ledger.nanoTime(), ledger.nanoTime());
        }
        return work;
    }

    private boolean start(SchedulerLedger ledger, LeaderWork work) {
        long last = ledger.lastStart(name);
        long now = ledger.storeTime();
        Long recorded = ledger.recordedStart(name);
        if (recorded != null && recorded > now + slack.toMillis()) {
            log.warn(
                    "'{}' is recorded as started in the future: the clock of the store was set back. It counts as"
                            + " started now, and is started again after {}",
                    name,
                    ReadableDuration.of(atLeastFor.plus(slack)));
            ledger.startedNow(name);
            return false;
        }
        if (!isOver(last, now, ledger.nanoTime())) {
            withheld(recorded != null, last);
            return false;
        }
        long asked = ledger.nanoTime();
        if (ledger.start(name, slack) && work.isCurrent()) {
            unconfirmedUnder = null;
            engine.unconfirmed().confirmed();
            own = new Start(ledger.lastStart(name), ledger.nanoTime(), asked);
            return true;
        }
        boolean isTold = work.token().equals(unconfirmedUnder);
        unconfirmedUnder = work.token();
        engine.unconfirmed()
                .warn(
                        isTold,
                        "'{}' is not started now: {}. It is tried again at its next time",
                        name,
                        work.isCurrent()
                                ? "the store did not confirm within " + ReadableDuration.of(slack)
                                        + " that its start is recorded"
                                : "leadership of the election '" + election + "' ended while its start was recorded");
        ledger.forgetStart(name, last);
        return false;
    }

    /**
     * Whether the job may be started again. This node knows when it has started the job itself; any other start may be later than is
     * recorded.
     */
    private boolean isOver(long last, long now, long nanos) {
        Start mine = own;
        if (mine != null && mine.recorded == last) {
            return nanos - mine.nanos >= atLeastFor.toNanos();
        }
        return last <= now - atLeastFor.plus(slack).toMillis();
    }

    private void withheld(boolean isStartKnown, long last) {
        if (isStartKnown || !told.begins(name)) {
            log.debug(
                    "'{}' is not started: it may have been started less than {} ago",
                    name,
                    ReadableDuration.of(atLeastFor));
            return;
        }
        log.info(
                "'{}' is not started before {}: the store was restarted or replaced, and it may have lost that the job"
                        + " was started",
                name,
                Instant.ofEpochMilli(last).plus(atLeastFor).plus(slack));
    }

    private synchronized boolean begin() {
        boolean isFree = !isStarting;
        isStarting = true;
        return isFree;
    }

    private synchronized void end() {
        isStarting = false;
    }

    /**
     * A start by this node.
     *
     * @param recorded when, by the clock of the store
     * @param nanos when the job began at the earliest, by the monotonic clock of this node
     * @param asked when the store was asked to record it, by the same clock
     */
    private record Start(long recorded, long nanos, long asked) {}
}
