package dev.election.benchmarks;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.ObjectAlreadyExistsException;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** A scheduler of a Quartz cluster. It has no leader: what is told is each run of a job. It checks in three times a lease. */
final class QuartzCompetitor implements Competitor {

    private static final String LISTENER = "listener";

    private final Scheduler scheduler;
    private final boolean isDue;

    QuartzCompetitor(String id, String url, Duration lease, boolean isDue) {
        Properties properties = new Properties();
        properties.put("org.quartz.scheduler.instanceName", "bench");
        properties.put("org.quartz.scheduler.instanceId", id);
        properties.put("org.quartz.threadPool.threadCount", "2");
        properties.put("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
        properties.put("org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
        properties.put("org.quartz.jobStore.isClustered", "true");
        properties.put("org.quartz.jobStore.clusterCheckinInterval", Long.toString(lease.toMillis() / 3));
        properties.put("org.quartz.jobStore.dataSource", "pool");
        properties.put("org.quartz.dataSource.pool.provider", "hikaricp");
        properties.put("org.quartz.dataSource.pool.driver", "org.postgresql.Driver");
        properties.put("org.quartz.dataSource.pool.URL", url);
        properties.put("org.quartz.dataSource.pool.maxConnections", "4");
        this.isDue = isDue;
        try {
            scheduler = new StdSchedulerFactory(properties).getScheduler();
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void start(Runnable leads) throws SchedulerException {
        scheduler.getContext().put(LISTENER, leads);
        JobDetail job = JobBuilder.newJob(EachSecond.class)
                .withIdentity("job")
                .requestRecovery()
                .build();
        try {
            var unused = scheduler.scheduleJob(
                    job,
                    TriggerBuilder.newTrigger()
                            .startAt(Date.from(Instant.now().plus(isDue ? Duration.ZERO : Duration.ofDays(1))))
                            .withSchedule(SimpleScheduleBuilder.repeatSecondlyForever())
                            .build());
        } catch (ObjectAlreadyExistsException anotherWasFirst) {
            // There is one job for all.
        }
        scheduler.start();
    }

    @Override
    public void stop() throws SchedulerException {
        scheduler.shutdown(true);
    }

    /** Works for a while, so that its node can be killed meanwhile. */
    @DisallowConcurrentExecution
    public static final class EachSecond implements Job {

        private static final int WORK_MILLIS = 300;

        @Override
        public void execute(JobExecutionContext context) {
            try {
                Runnable listener =
                        (Runnable) context.getScheduler().getContext().get(LISTENER);
                Objects.requireNonNull(listener).run();
                TimeUnit.MILLISECONDS.sleep(WORK_MILLIS);
            } catch (SchedulerException e) {
                throw new IllegalStateException(e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
