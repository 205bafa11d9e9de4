package com.example.sample;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A Quartz job. It fires on every replica and runs on the one that leads; what falls between two leaders, the second one fires late.
 * The annotation only names the election: without it a Quartz job is guarded just so.
 */
@LeaderOnly
class DigestJob implements Job {

    private static final Logger log = LoggerFactory.getLogger(DigestJob.class);

    @Override
    public void execute(JobExecutionContext context) {
        log.info(
                "Digest of {}, fencing token {}",
                context.getScheduledFireTime().toInstant(),
                FencingToken.current().map(FencingToken::toString).orElse("none"));
    }

    /** Schedules the job as in an application that knows nothing of replicas. */
    @Configuration(proxyBeanMethods = false)
    static class Schedule {

        @Bean
        JobDetail digest() {
            return JobBuilder.newJob(DigestJob.class)
                    .withIdentity("digest")
                    .storeDurably()
                    .build();
        }

        @Bean
        Trigger everyFewSeconds(JobDetail digest, @Value("${sample.digest-cron:0/10 * * * * ?}") String cron) {
            return TriggerBuilder.newTrigger()
                    .withIdentity("digest")
                    .forJob(digest)
                    .withSchedule(CronScheduleBuilder.cronSchedule(cron).withMisfireHandlingInstructionIgnoreMisfires())
                    .build();
        }
    }
}
