package dev.election.quartz.internal.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.quartz.internal.rules.QuartzData;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.quartz.JobDataMap;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.Trigger;
import org.quartz.TriggerKey;

/** What a leader leaves to its successor of a job that runs. */
class JobMarkTest {

    private static final JobMark MARK =
            new JobMark(new JobKey("a job/1", "ä group"), new TriggerKey("a.b c", "+%"), 2000, 1000, 7);

    @Test
    void it_can_be_read_whatever_jobs_and_triggers_are_called() {
        assertThat(JobMark.parse(MARK.format())).contains(MARK);
    }

    @Test
    void what_can_t_be_read_is_none() {
        for (String entry : List.of("", "a b c d e f", "a b c d 1 2 x")) {
            assertThat(JobMark.parse(entry)).as(entry).isEmpty();
        }
    }

    @Test
    void its_trigger_tells_the_job_what_Quartz_tells_a_job_that_it_recovers() {
        JobDataMap original = new JobDataMap();
        original.put("answer", 42);

        Trigger recovery = MARK.recovery("mark", "reports", original);

        assertThat(recovery.getKey().getGroup()).isEqualTo(Scheduler.DEFAULT_RECOVERY_GROUP);
        assertThat(recovery.getJobKey()).isEqualTo(MARK.job());
        assertThat(recovery.getPriority()).isEqualTo(7);
        assertThat(recovery.getStartTime()).hasTime(1000);
        assertThat(recovery.getJobDataMap())
                .containsEntry("answer", 42)
                .containsEntry(QuartzData.ELECTION, "reports")
                .containsEntry(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_NAME, "a.b c")
                .containsEntry(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_GROUP, "+%")
                .containsEntry(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_FIRETIME_IN_MILLISECONDS, "2000")
                .containsEntry(Scheduler.FAILED_JOB_ORIGINAL_TRIGGER_SCHEDULED_FIRETIME_IN_MILLISECONDS, "1000");
    }
}
