package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.OnLoss;
import dev.election.jobs.JobRun;
import dev.election.quartz.EveryNode;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.store.InMemoryLedgerStore;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.InterruptableJob;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.listeners.JobListenerSupport;
import org.quartz.listeners.TriggerListenerSupport;

/** Jobs of a scheduler that fires on every node. */
class GuardedJobsTest {

    private final Journal journal = new Journal();
    private final AtomicInteger vetoes = new AtomicInteger();
    private final QuartzNode.Setting setting = QuartzNode.with(new InMemoryLedgerStore())
            .group("everywhere", QuartzData.EVERY_NODE)
            .observer(new QuartzObserver() {
                @Override
                public void vetoed(String scheduler, String election) {
                    vetoes.incrementAndGet();
                }
            });

    @AutoClose
    private QuartzNode node;

    @Test
    void a_follower_vetoes_and_counts_and_a_leader_runs_with_its_token() throws Exception {
        node = setting.node(journal).often("job", Journal.Recorded.class).start();
        Journal.await().until(() -> vetoes.get() >= 2);
        assertThat(journal.runs()).isEmpty();

        node.election().lead(7);

        assertThat(journal.awaitRun("job", 1)).satisfies(run -> {
            assertThat(run.token()).isEqualTo(new FencingToken(7));
            assertThat(run.current()).isEqualTo(new FencingToken(7));
            assertThat(run.recovering()).isFalse();
        });
    }

    @Test
    void jobs_that_are_free_run_without_leadership_and_without_a_token() throws Exception {
        node = setting.node(journal);
        for (JobDetail job : new JobDetail[] {
            JobBuilder.newJob(Free.class).withIdentity("class").build(),
            JobBuilder.newJob(Journal.Recorded.class)
                    .withIdentity("data")
                    .usingJobData(QuartzData.ELECTION, QuartzData.EVERY_NODE)
                    .build(),
            JobBuilder.newJob(Journal.Recorded.class)
                    .withIdentity("group", "everywhere")
                    .build()
        }) {
            node.schedule(job, now(job.getKey().getName()));
        }
        node.start();

        assertThat(journal.awaitRun("class", 1).token()).isNull();
        journal.awaitRun("data", 1);
        journal.awaitRun("group", 1);
        assertThat(vetoes).hasValue(0);
    }

    @Test
    void a_running_job_is_leader_work_until_it_ends() throws Exception {
        node = setting.node(journal);
        node.election().lead(1);
        node.schedule(job(Journal.Lasting.class), now("job")).start();
        journal.awaitRun("job", 1);
        assertThat(node.election().runningWork()).isEqualTo(1);

        node.letThrough();

        Journal.await().until(() -> node.election().runningWork() == 0);
    }

    @Test
    void no_firing_begins_while_a_leader_resigns() throws Exception {
        node = setting.node(journal).often("job", Journal.Recorded.class).start();
        node.election().lead(1);
        journal.awaitRun("job", 1);

        node.election().resign();

        // What was admitted just before may begin now.
        Journal.await().until(() -> node.election().runningWork() == 0);
        int vetoed = vetoes.get();
        int ran = journal.runs().size();
        Journal.await().until(() -> vetoes.get() >= vetoed + 2);
        assertThat(journal.runs()).hasSize(ran);
    }

    @Test
    void a_job_calls_what_is_guarded_by_its_election_and_no_other_while_a_leader_resigns() throws Exception {
        node = setting.node(journal);
        node.election().lead(1);
        node.election("other").lead(1);
        node.scheduler().getContext().put(Nesting.NODE, node);
        node.schedule(job(Nesting.class), now("job")).start();

        assertThat(journal.awaitRun("job", 1).current()).isEqualTo(new FencingToken(1));

        Journal.await().until(() -> node.election().runningWork() == 0);
        assertThat(node.election("other").admissions()).isZero();
        assertThat(node.election().runIfLeader(() -> {})).isFalse();
    }

    @Test
    void a_job_that_throws_or_wants_to_be_fired_again_is_leader_work_each_time() throws Exception {
        node = setting.node(journal);
        node.election().lead(1);
        node.schedule(
                        JobBuilder.newJob(Journal.Recorded.class)
                                .withIdentity("first")
                                .build(),
                        now("first"))
                .start();
        // What fires before this node knows what earlier leaders have fired is admitted once more. It knows that for
        // all jobs once a further one has run.
        journal.awaitRun("first", 1);
        node.schedule(
                JobBuilder.newJob(Journal.Recorded.class).withIdentity("second").build(), now("second"));
        journal.awaitRun("second", 1);
        Journal.await().until(() -> node.election().runningWork() == 0);
        int before = node.election().admissions();
        node.schedule(job(Stubborn.class), now("job"));

        journal.awaitRun("job", 3);

        Journal.await().until(() -> node.election().runningWork() == 0);
        assertThat(node.election().admissions() - before).isEqualTo(3);
        assertThat(journal.slots("job"))
                .hasSize(3)
                .containsOnly(journal.slots("job").get(0));
    }

    @Test
    void each_run_is_recorded_with_its_slot_and_what_came_of_it() throws Exception {
        node = setting.node(journal);
        node.election().lead(7);
        node.schedule(job(Stubborn.class), now("job")).start();
        Journal.await().until(() -> node.runs.size() == 3);

        assertThat(node.runs)
                .extracting(JobRun::outcome)
                .containsExactly(JobRun.Outcome.FAILED, JobRun.Outcome.FAILED, JobRun.Outcome.FAILED);
        assertThat(node.runs.get(2)).satisfies(run -> {
            assertThat(run.job()).isEqualTo("DEFAULT.job");
            assertThat(run.election()).isEqualTo("default");
            assertThat(run.token()).isEqualTo(new FencingToken(7));
            assertThat(run.slot().map(Instant::toEpochMilli))
                    .contains(journal.slots("job").get(0));
            assertThat(run.failure()).contains("java.lang.IllegalStateException");
        });
    }

    @Test
    void a_run_that_the_application_vetoes_is_none() throws Exception {
        node = setting.node(journal);
        vetoFirstFiring();
        node.election().lead(1);
        node.often("job", Journal.Recorded.class).start();

        journal.awaitRun("job", 1);
        Journal.await().until(() -> !node.runs.isEmpty());
        assertThat(node.runs.get(0).outcome()).isEqualTo(JobRun.Outcome.DONE);
        assertThat(journal.slots("job"))
                .contains(node.runs.get(0).slot().orElseThrow().toEpochMilli());
    }

    @Test
    void listeners_of_the_application_keep_working_and_their_veto_counts() throws Exception {
        node = setting.node(journal);
        AtomicInteger heard = vetoFirstFiring();
        node.election().lead(1);
        node.often("job", Journal.Recorded.class).start();

        journal.awaitRun("job", 2);

        assertThat(heard.get()).isGreaterThanOrEqualTo(3);
        Journal.await().until(() -> node.election().runningWork() == 0);
    }

    @Test
    void work_ends_although_a_listener_of_the_application_throws_before_the_job() throws Exception {
        node = setting.node(journal);
        CountDownLatch thrown = new CountDownLatch(2);
        node.scheduler().getListenerManager().addJobListener(new JobListenerSupport() {
            @Override
            public String getName() {
                return "the application's";
            }

            @Override
            public void jobToBeExecuted(JobExecutionContext context) {
                thrown.countDown();
                throw new IllegalStateException("as the test wants it");
            }
        });
        node.election().lead(1);
        node.often("job", Journal.Recorded.class).start();

        assertThat(thrown.await(20, TimeUnit.SECONDS)).isTrue();
        Journal.await().until(() -> node.election().runningWork() == 0);
        assertThat(node.election().admissions()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void a_job_that_can_be_interrupted_is_interrupted_through_Quartz_when_leadership_is_lost() throws Exception {
        node = setting.node(journal);
        node.election().lead(1);
        node.schedule(job(Interruptable.class), now("job")).start();
        journal.awaitRun("job", 1);

        node.election().follow();

        assertThat(journal.awaitRun("job", 2).job()).isEqualTo("job");
    }

    @Test
    void the_thread_of_any_other_job_that_asks_for_it_is_interrupted_and_the_next_job_does_not_notice()
            throws Exception {
        node = setting.node(journal);
        node.election().lead(1);
        node.schedule(job(Sleeping.class), now("job")).start();
        journal.awaitRun("job", 1);

        node.election().follow();
        journal.awaitRun("job", 2);
        node.election().lead(2);

        for (int i = 0; i < 8; i++) {
            node.schedule(
                    JobBuilder.newJob(NotInterrupted.class)
                            .withIdentity("next" + i)
                            .build(),
                    now("next" + i));
            journal.awaitRun("next" + i, 1);
        }
    }

    @Test
    void a_name_that_can_t_be_read_vetoes_and_blocks_nothing() throws Exception {
        node = setting.node(journal);
        node.election().lead(1);
        node.schedule(
                        JobBuilder.newJob(Once.class)
                                .withIdentity("bad")
                                .usingJobData(QuartzData.ELECTION, "no name!")
                                .build(),
                        now("bad"))
                .schedule(job(Journal.Recorded.class), now("job"))
                .start();

        journal.awaitRun("job", 1);
        Journal.await().until(() -> !node.scheduler().checkExists(new org.quartz.TriggerKey("bad")));
        assertThat(journal.slots("bad")).isEmpty();
    }

    /** By a listener of the application. Counts the firings that it hears of. */
    private AtomicInteger vetoFirstFiring() throws SchedulerException {
        AtomicInteger heard = new AtomicInteger();
        node.scheduler().getListenerManager().addTriggerListener(new TriggerListenerSupport() {
            @Override
            public String getName() {
                return "the application's";
            }

            @Override
            public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
                return heard.incrementAndGet() == 1;
            }
        });
        return heard;
    }

    private static JobDetail job(Class<? extends Job> type) {
        return JobBuilder.newJob(type).withIdentity("job").build();
    }

    private static Trigger now(String name) {
        return TriggerBuilder.newTrigger()
                .withIdentity(name)
                .withSchedule(SimpleScheduleBuilder.simpleSchedule())
                .build();
    }

    @EveryNode
    public static class Free extends Journal.Recorded {}

    @DisallowConcurrentExecution
    public static class Once extends Journal.Recorded {}

    public static class Stubborn implements Job {
        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            Journal.of(context).add(context);
            if (context.getRefireCount() < 2) {
                throw new JobExecutionException("once more", context.getRefireCount() < 2);
            }
            throw new IllegalStateException("as the test wants it");
        }
    }

    @LeaderOnly(onLoss = OnLoss.INTERRUPT)
    public static class Interruptable implements InterruptableJob {

        private final CountDownLatch interrupted = new CountDownLatch(1);

        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            Journal.of(context).add(context);
            try {
                if (interrupted.await(20, TimeUnit.SECONDS)) {
                    Journal.of(context).add(context);
                }
            } catch (InterruptedException e) {
                throw new JobExecutionException("Not through Quartz", e);
            }
        }

        @Override
        public void interrupt() {
            interrupted.countDown();
        }
    }

    @LeaderOnly(onLoss = OnLoss.INTERRUPT)
    public static class Sleeping implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            Journal.of(context).add(context);
            try {
                Thread.sleep(20_000);
            } catch (InterruptedException interrupted) {
                Journal.of(context).add(context);
            }
        }
    }

    /** Writes down that it ran where it calls something guarded after its node has begun to resign. */
    public static class Nesting implements Job {

        private static final String NODE = "node";

        @Override
        public void execute(JobExecutionContext context) throws JobExecutionException {
            try {
                QuartzNode node =
                        (QuartzNode) context.getScheduler().getContext().get(NODE);
                node.election().resign();
                node.election("other").resign();
                node.election("other").runIfLeader(() -> {});
                node.election().runIfLeader(() -> Journal.of(context).add(context));
            } catch (SchedulerException e) {
                throw new JobExecutionException(e);
            }
        }
    }

    public static class NotInterrupted implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            if (!Thread.currentThread().isInterrupted()) {
                Journal.of(context).add(context);
            }
        }
    }
}
