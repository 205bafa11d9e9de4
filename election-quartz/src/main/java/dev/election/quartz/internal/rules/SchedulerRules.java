package dev.election.quartz.internal.rules;

import dev.election.support.LogLimit;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The rules of one scheduler, which follow {@link GuardRules} unless the scheduler as a whole follows an election. */
public final class SchedulerRules {

    private static final Logger log = LoggerFactory.getLogger(SchedulerRules.class);

    private final GuardRules rules;
    private final String scheduler;
    private final @Nullable String standby;
    private final LogLimit warned = LogLimit.once();

    /**
     * @param rules of all schedulers
     * @param scheduler its name
     * @param standby the election that it follows, {@code null} if none
     */
    public SchedulerRules(GuardRules rules, String scheduler, @Nullable String standby) {
        this.rules = rules;
        this.scheduler = scheduler;
        this.standby = standby;
    }

    /** The guard of a job that fires, {@code null} if it runs on every node. */
    @Nullable
    public JobGuard guard(JobExecutionContext context) {
        return guard(context.getJobDetail(), context.getMergedJobDataMap());
    }

    /** The guard of the job of a trigger, {@code null} if it runs on every node. */
    @Nullable
    public JobGuard guard(JobDetail job, Trigger trigger) {
        JobDataMap data = new JobDataMap(job.getJobDataMap());
        data.putAll(trigger.getJobDataMap());
        return guard(job, data);
    }

    /** The guard of a job, as far as its triggers don't say otherwise; {@code null} if it runs on every node. */
    @Nullable
    public JobGuard guard(JobDetail job) {
        return guard(job, job.getJobDataMap());
    }

    /** The elections that guard its jobs, whatever jobs there are. */
    public Set<String> configured() {
        return standby != null ? Set.of(standby) : rules.ofGroups();
    }

    private @Nullable JobGuard guard(JobDetail job, JobDataMap data) {
        JobGuard guard = rules.of(job.getJobClass(), data, job.getKey().getGroup());
        if (guard == null || standby == null || guard.election().equals(standby)) {
            return guard;
        }
        if (warned.begins(job.getKey())) {
            log.warn(
                    "The job {} has the election '{}', but its scheduler '{}' is on standby unless this node leads '{}': the job runs on the"
                            + " leader of '{}'. Remove its election, or put it into a scheduler of its own",
                    job.getKey(),
                    guard.election(),
                    scheduler,
                    standby,
                    standby);
        }
        return new JobGuard(standby, guard.onLoss());
    }
}
