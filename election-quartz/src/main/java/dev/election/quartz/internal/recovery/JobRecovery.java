package dev.election.quartz.internal.recovery;

import dev.election.jobs.engine.LeftSlot;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.SlotClaim;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.trigger.JobMark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules jobs again that request recovery and ran, or were claimed, when an earlier leader died, however long ago, as Quartz does it.
 */
final class JobRecovery {

    private static final Logger log = LoggerFactory.getLogger(JobRecovery.class);

    private final GuardedScheduler guarded;
    private final Scheduler scheduler;
    private final String election;
    private final SchedulerLedger ledger;
    private final QuartzObserver observer;

    JobRecovery(GuardedScheduler guarded, String election, SchedulerLedger ledger, QuartzObserver observer) {
        this.guarded = guarded;
        this.scheduler = guarded.scheduler();
        this.election = election;
        this.ledger = ledger;
        this.observer = observer;
    }

    void run() throws SchedulerException {
        List<String> worthless = new ArrayList<>();
        for (LeftSlot left : LeftSlot.in(ledger)) {
            if (left.hasBegun() ? !isRunAgain(left) : !isRecovered(left)) {
                worthless.add(left.id());
            }
        }
        if (!worthless.isEmpty()) {
            CompletionStage<Boolean> unused = ledger.recordRunning(Map.of(), worthless);
        }
    }

    private boolean isRunAgain(LeftSlot left) throws SchedulerException {
        JobMark mark = JobMark.parse(left.entry()).orElse(null);
        if (mark == null || !scheduler.checkExists(mark.job())) {
            log.warn(
                    "The job {} was running when the earlier leader of '{}' crashed, but the scheduler '{}' does not have it. It is not run again",
                    mark == null ? left : mark.job(),
                    election,
                    guarded.name());
            return false;
        }
        recover(left.id(), mark, "was running when an earlier leader died");
        return true;
    }

    /** A slot that an earlier leader has claimed is fired only if its job requests recovery. */
    private boolean isRecovered(LeftSlot left) throws SchedulerException {
        SlotClaim claim = SlotClaim.parse(left.entry()).orElse(null);
        JobMark mark = claim == null ? null : JobMark.parse(claim.details()).orElse(null);
        if (claim == null || mark == null) {
            return false;
        }
        JobDetail job = scheduler.getJobDetail(mark.job());
        if (job != null && job.requestsRecovery()) {
            recover(left.id(), mark, "is claimed by an earlier leader, and not known to have begun");
            return true;
        }
        Instant slot = Instant.ofEpochMilli(mark.scheduled());
        observer.lost(guarded.name(), election, 1);
        log.warn(
                "The slot {} of {} is not fired: it is claimed, by the earlier leader {} of '{}' at {}, and not known to have begun, and the job does not request"
                        + " recovery. election.quartz.lost counts such slots",
                slot,
                mark.job(),
                claim.node(),
                election,
                claim.at());
        guarded.engine().notBegun(election, mark.job().toString(), mark.scheduled(), claim, ledger.token());
        return false;
    }

    private void recover(String id, JobMark mark, String why) throws SchedulerException {
        Trigger original = scheduler.getTrigger(mark.trigger());
        Trigger recovery = mark.recovery(id, election, original == null ? new JobDataMap() : original.getJobDataMap());
        if (!scheduler.checkExists(recovery.getKey())) {
            log.info("{} {}: this leader of '{}' runs it, {}", mark.job(), why, election, guarded.whenFired());
            scheduler.scheduleJob(recovery);
        }
    }
}
