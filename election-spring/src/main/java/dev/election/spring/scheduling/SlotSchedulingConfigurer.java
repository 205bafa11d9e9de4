package dev.election.spring.scheduling;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

/** Lets the scheduler that the application has chosen tell scheduled methods the slot that they are called for, and call no partitioned ones. */
public final class SlotSchedulingConfigurer implements SchedulingConfigurer, Ordered {

    private static final Logger log = LoggerFactory.getLogger(SlotSchedulingConfigurer.class);

    private final ScheduledJobs jobs;
    private final @Nullable PartitionedMethods partitioned;
    private volatile @Nullable ScheduledTaskRegistrar registrar;
    private volatile @Nullable TaskScheduler telling;

    /**
     * Creates the configurer for these jobs.
     *
     * @param partitioned methods that are called for each partition, {@code null} without partitions
     */
    public SlotSchedulingConfigurer(ScheduledJobs jobs, @Nullable PartitionedMethods partitioned) {
        this.jobs = jobs;
        this.partitioned = partitioned;
    }

    /** Places this configurer after those of the application, which may choose another scheduler. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE;
    }

    @Override
    public void configureTasks(ScheduledTaskRegistrar tasks) {
        registrar = tasks;
        TaskScheduler chosen = tasks.getScheduler();
        if (chosen != null) {
            TaskScheduler used = jobs.calledBy(chosen, partitioned);
            telling = used;
            tasks.setTaskScheduler(used);
        }
    }

    /** Logs an error if jobs are not called so that their slots are known. To be called when the application has started. */
    public void check() {
        ScheduledTaskRegistrar known = registrar;
        boolean hasNone = jobs.names().isEmpty() && (partitioned == null || partitioned.isEmpty());
        if (hasNone || (known != null && telling != null && known.getScheduler() == telling)) {
            return;
        }
        if (known == null) {
            log.error(
                    "Jobs with recoverWithin are not called at all, nor are methods with @Partitioned, since nothing calls scheduled methods. Action: add @EnableScheduling");
        } else {
            log.error(
                    "The slots of jobs with recoverWithin are not recorded and not recovered, and methods with @Partitioned are not called for their"
                            + " partitions: a SchedulingConfigurer that is called after that of the elections has set {} as task scheduler. Action: give it an @Order before the last, such as @Order(0)",
                    known.getScheduler());
        }
    }
}
