package dev.election.quartz.internal;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import javax.sql.DataSource;
import org.quartz.CronScheduleBuilder;
import org.quartz.JobBuilder;
import org.quartz.TriggerBuilder;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;

/** What several processes are to run from one database. */
public final class SharedJobs {

    private SharedJobs() {}

    /** A job every second that writes down each of its runs, in a PostgreSQL. */
    public static void everySecond(DataSource database, Path history) throws Exception {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(
                        new ClassPathResource("org/quartz/impl/jdbcjobstore/tables_postgres.sql")),
                database);
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "org.quartz.jobStore.isClustered", "true",
                "org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate"));
        SchedulerFactoryBean factory = new SchedulerFactoryBean();
        factory.setSchedulerName("quartzScheduler");
        factory.setDataSource(database);
        factory.setQuartzProperties(properties);
        factory.setAutoStartup(false);
        factory.afterPropertiesSet();
        factory.getScheduler()
                .scheduleJob(
                        JobBuilder.newJob(ScheduledApplication.WritingJob.class)
                                .withIdentity("job")
                                .usingJobData("history", history.toString())
                                .build(),
                        TriggerBuilder.newTrigger()
                                .withIdentity("job")
                                .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?")
                                        .withMisfireHandlingInstructionIgnoreMisfires())
                                .build());
        factory.destroy();
    }
}
