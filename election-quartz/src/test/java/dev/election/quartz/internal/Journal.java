package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.quartz.internal.rules.QuartzData;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.quartz.Job;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;

/** What jobs tell of their runs, whichever scheduler runs them. */
public final class Journal {

    static final String KEY = "journal";

    private final List<Run> runs = new CopyOnWriteArrayList<>();
    private final long begun = System.currentTimeMillis();

    static Journal of(JobExecutionContext context) {
        try {
            return (Journal) context.getScheduler().getContext().get(KEY);
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
    }

    void attach(Scheduler scheduler) throws SchedulerException {
        scheduler.getContext().put(KEY, this);
    }

    void add(JobExecutionContext context) {
        runs.add(Run.of(context));
    }

    /** When the first line could be written. */
    long begun() {
        return begun;
    }

    List<Run> runs() {
        return runs;
    }

    /** The slots of the runs of that job. */
    List<Long> slots(String job) {
        return runs.stream().filter(run -> run.job().equals(job)).map(Run::slot).toList();
    }

    Run awaitRun(String job, int number) {
        await().until(() -> slots(job).size() >= number);
        return runs.stream().filter(run -> run.job().equals(job)).toList().get(number - 1);
    }

    /** From the first slot of that job that was fired to the last of this moment, each is fired once. */
    void assertThatEachSlotWasFiredOnce(String job, long interval) {
        long last = slots(job).stream().max(Long::compare).orElseThrow();
        // Slots that are fired late may overtake each other.
        await().untilAsserted(() -> {
            List<Long> slots =
                    slots(job).stream().filter(slot -> slot <= last).sorted().toList();
            assertThat(slots)
                    .isEqualTo(LongStream.iterate(slots.get(0), slot -> slot <= last, slot -> slot + interval)
                            .boxed()
                            .toList());
        });
    }

    static org.awaitility.core.ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(5));
    }

    /**
     * @param scheduler which ran it
     * @param job its name
     * @param slot for when it was scheduled
     * @param token in the context
     * @param current on the thread
     * @param recovering what the context said
     */
    record Run(String scheduler, String job, long slot, Object token, Object current, boolean recovering) {

        private static Run of(JobExecutionContext context) {
            try {
                return new Run(
                        context.getScheduler().getSchedulerName(),
                        context.getJobDetail().getKey().getName(),
                        context.getScheduledFireTime().getTime(),
                        context.get(QuartzData.FENCING_TOKEN),
                        dev.election.FencingToken.current().orElse(null),
                        context.isRecovering());
            } catch (SchedulerException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Writes down that it ran. */
    public static class Recorded implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            Journal.of(context).add(context);
        }
    }

    /** Writes down that it ran, and goes on until the latch in the scheduler's context is open. */
    public static class Lasting implements Job {

        static final String LATCH = "latch";

        @Override
        public void execute(JobExecutionContext context) {
            Journal.of(context).add(context);
            try {
                CountDownLatch latch =
                        (CountDownLatch) context.getScheduler().getContext().get(LATCH);
                if (!latch.await(20, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("Never let through");
                }
            } catch (InterruptedException | SchedulerException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
