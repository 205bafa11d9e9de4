package dev.election.quartz;

import dev.election.ledger.SchedulerLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.quartz.JobDataMap;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has jobs run again over which an earlier leader has died, and that want it. However long ago that was, as Quartz does it. */
final class JobRecovery {

    private static final Logger log = LoggerFactory.getLogger(JobRecovery.class);

    private final GuardedScheduler guarded;
    private final Scheduler scheduler;
    private final String election;
    private final SchedulerLedger ledger;

    JobRecovery(GuardedScheduler guarded, String election, SchedulerLedger ledger) {
        this.guarded = guarded;
        this.scheduler = guarded.scheduler();
        this.election = election;
        this.ledger = ledger;
    }

    void run() throws SchedulerException {
        List<String> worthless = new ArrayList<>();
        for (Map.Entry<String, String> entry : ledger.running().entrySet()) {
            JobMark mark = JobMark.parse(entry.getValue()).orElse(null);
            if (mark == null || !scheduler.checkExists(mark.job())) {
                log.warn(
                        "The job {} was running when the earlier leader of '{}' crashed, but the scheduler '{}' does not have it. It is not run again",
                        mark == null ? entry : mark.job(),
                        election,
                        guarded.name());
                worthless.add(entry.getKey());
            } else {
                recover(entry.getKey(), mark);
            }
        }
        if (!worthless.isEmpty()) {
            CompletionStage<Boolean> unused = ledger.recordRunning(Map.of(), worthless);
        }
    }

    private void recover(String id, JobMark mark) throws SchedulerException {
        Trigger original = scheduler.getTrigger(mark.trigger());
        Trigger recovery = mark.recovery(id, election, original == null ? new JobDataMap() : original.getJobDataMap());
        if (!scheduler.checkExists(recovery.getKey())) {
            log.info(
                    "{} was running when an earlier leader of '{}' died: this one runs it again, {}",
                    mark.job(),
                    election,
                    guarded.whenFired());
            scheduler.scheduleJob(recovery);
        }
    }
}
