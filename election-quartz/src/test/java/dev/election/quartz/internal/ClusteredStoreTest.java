package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.jobs.history.JobHistory;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.NoLedgerStore;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.quartz.QuartzMode;
import dev.election.quartz.internal.rules.GuardRules;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.rules.QuartzSettings;
import dev.election.quartz.internal.rules.SchedulerChoice;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.StoreTransactions;
import dev.election.quartz.internal.turns.QuartzGuards;
import dev.election.store.InMemoryLedgerStore;
import dev.election.testing.Background;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.TriggerBuilder;
import org.quartz.core.QuartzSchedulerResources;
import org.quartz.impl.JobExecutionContextImpl;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.spi.JobStore;
import org.quartz.spi.OperableTrigger;
import org.quartz.spi.TriggerFiredBundle;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** Two schedulers on one clustered store: nothing is lost, nothing is doubled, and only the leader runs anything. */
@RealTime
public class ClusteredStoreTest {

    private final Journal journal = new Journal();

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    @AutoClose
    private final Opened opened = new Opened();

    private final ClusteredStore store = opened.add(new ClusteredStore());
    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();

    @Test
    void each_slot_is_fired_once_by_the_leader_of_the_moment() throws Exception {
        Member first = member();
        Member second = member();
        first.scheduleEverySecond();
        assertThat(first.scheduler.isInStandbyMode()).isTrue();
        assertThat(second.scheduler.isInStandbyMode()).isTrue();

        Member leader = first;
        Member follower = second;
        long token = 1;
        leader.election().lead(token);
        for (int round = 0; round < 3; round++) {
            journal.awaitRun("job", journal.runs().size() + 2);
            leader.election().follow();
            token++;
            follower.election().lead(token);
            Member before = leader;
            leader = follower;
            follower = before;
        }
        journal.awaitRun("job", journal.runs().size() + 3);

        journal.assertThatEachSlotWasFiredOnce("job", 1000);
        assertThat(journal.runs())
                .allMatch(run -> run.token() != null && run.token().equals(run.current()));
        assertThat(journal.runs().stream().map(Journal.Run::token).distinct()).hasSize(4);
    }

    @Test
    void a_firing_that_finds_its_leadership_outlived_is_left_to_the_next_leader() throws Exception {
        Member first = member();
        Member second = member();
        first.scheduleEverySecond();
        first.election().lead(1);
        journal.awaitRun("job", 2);

        first.election().outlive();
        // A slot has passed, and nobody has taken it.
        Journal.await()
                .until(() -> store.next("job") < System.currentTimeMillis() - 1000
                        && store.state("job").equals("WAITING"));
        int ran = journal.runs().size();
        first.election().follow();
        second.election().lead(2);

        journal.awaitRun("job", ran + 4);
        journal.assertThatEachSlotWasFiredOnce("job", 1000);
        assertThat(journal.runs().subList(ran, ran + 4))
                .allMatch(run -> run.token().toString().equals("2"));
    }

    @Test
    void a_job_without_a_further_trigger_is_handed_back_too() throws Exception {
        Member first = member(false);
        Member second = member();
        first.election().lead(1);
        first.scheduler.scheduleJob(
                JobBuilder.newJob(Journal.Recorded.class).withIdentity("once").build(),
                TriggerBuilder.newTrigger().withIdentity("once").build());

        first.loseBetweenFiringAndJob(CompletedExecutionInstruction.DELETE_TRIGGER);
        second.election().lead(2);

        journal.awaitRun("once", 1);
        Journal.await().until(() -> !second.scheduler.checkExists(new JobKey("once")));
        assertThat(journal.runs()).hasSize(1);
    }

    /** Quartz would put the job's triggers into an error state, in which no node fires them any more. */
    @Test
    void a_node_that_can_not_make_a_job_since_its_context_is_being_closed_leaves_the_job_to_the_next_leader()
            throws Exception {
        Member first = member(false);
        Member second = member();
        first.scheduleEverySecond();
        first.failures.set(2);
        first.factory.getScheduler().setJobFactory((fired, scheduler) -> {
            first.election().follow();
            throw new SchedulerException("The context is closed");
        });
        first.factory.start();
        first.election().lead(1);

        Journal.await().until(() -> first.handedBack() > 0);
        assertThat(log.with("It is tried again every second")).hasSize(1);
        assertThat(first.lost.get()).isZero();
        Journal.await().until(() -> store.state("job").equals("WAITING"));
        second.election().lead(2);

        journal.awaitRun("job", 4);
        journal.assertThatEachSlotWasFiredOnce("job", 1000);
    }

    @Test
    void a_firing_that_can_not_be_given_back_while_it_is_worth_it_is_counted_as_lost() throws Exception {
        Member first = member(false, Duration.ofMillis(500));
        first.scheduleEverySecond();
        first.election().lead(1);
        first.failures.set(Integer.MAX_VALUE);

        first.loseBetweenFiringAndJob(CompletedExecutionInstruction.NOOP);

        assertThat(first.lost.get()).isEqualTo(1);
        assertThat(log.with("could not be given back to the job store")).hasSize(1);
    }

    /** A scheduler that waits for its threads at its shutdown interrupts its own. */
    @Test
    void a_thread_that_was_interrupted_does_not_wait_for_the_database() throws Exception {
        Member first = member(false);
        first.scheduleEverySecond();
        first.election().lead(1);
        List<OperableTrigger> acquired = first.acquire();
        first.election().follow();
        store.cutOff(true);

        Background ending = Background.run(() -> {
            Thread.currentThread().interrupt();
            first.store().releaseAcquiredTrigger(acquired.get(0));
            assertThat(Thread.interrupted()).isTrue();
        });

        ending.await(Duration.ofSeconds(20));
        store.cutOff(false);
        assertThat(store.state("job")).isEqualTo("ACQUIRED");
    }

    @Test
    void a_recovery_that_is_given_back_is_one_for_the_next_leader_too() throws Exception {
        Member first = member(false);
        Member second = member(false);
        first.election().lead(1);
        first.scheduler.addJob(
                JobBuilder.newJob(Journal.Recorded.class)
                        .withIdentity("job")
                        .storeDurably()
                        .build(),
                false);
        first.scheduler.scheduleJob(TriggerBuilder.newTrigger()
                .withIdentity("recover_1", Scheduler.DEFAULT_RECOVERY_GROUP)
                .forJob("job")
                .build());
        first.loseBetweenFiringAndJob(CompletedExecutionInstruction.DELETE_TRIGGER);

        second.election().lead(2);

        assertThat(second.bundle(second.acquire()).isRecovering()).isTrue();
    }

    @Test
    void a_job_that_was_deleted_meanwhile_does_not_come_back_with_a_firing_that_is_given_back() throws Exception {
        Member first = member(false);
        first.scheduleEverySecond();
        first.election().lead(1);
        TriggerFiredBundle fired = first.bundle(first.acquire());
        first.scheduler.deleteJob(new JobKey("job"));
        first.election().follow();

        assertThat(first.vetoes(fired)).isTrue();

        assertThat(first.scheduler.checkExists(new JobKey("job"))).isFalse();
        assertThat(first.handedBack()).isZero();
        assertThat(first.lost.get()).isZero();
    }

    /** Quartz would try again until it answers, and then end the firing of whoever has taken it over. */
    @Test
    void a_node_that_does_not_know_whether_others_have_taken_a_firing_over_asks_until_it_does() throws Exception {
        Member first = member(false);
        first.scheduleEverySecond();
        first.election().lead(1);
        OperableTrigger fired = first.fire(first.acquire());
        JobDetail job = first.scheduler.getJobDetail(fired.getJobKey());
        first.election().follow();
        store.cutOff(true);
        Background ending = Background.run(
                () -> first.store().triggeredJobComplete(fired, job, CompletedExecutionInstruction.NOOP));
        Journal.await().until(() -> !log.with("could not look for the record of a firing")
                .isEmpty());
        store.recoverAllAndRun("job");

        store.cutOff(false);
        ending.await(Duration.ofSeconds(30));

        assertThat(store.state("job")).isEqualTo("BLOCKED");
    }

    @Test
    void a_leader_that_resigns_still_runs_what_the_store_has_given_out() throws Exception {
        Member member = member(false);
        member.scheduleEverySecond();
        member.election().lead(1);
        Journal.await().until(() -> member.ledgers.find("default") != null);
        TriggerFiredBundle fired = member.bundle(member.acquire());

        member.election().resign();

        assertThat(member.election().runningWork()).isEqualTo(1);
        assertThat(member.vetoes(fired)).isFalse();
        assertThat(member.handedBack()).isZero();
    }

    @Test
    void slots_whose_claims_are_refused_are_fired_when_the_store_answers_again() throws Exception {
        Member leader = member();
        leader.scheduleEverySecond(Journal.Recorded.class);
        leader.election().lead(1);
        journal.awaitRun("job", 2);
        ledger.fail(true);
        Journal.await().until(() -> !log.with("does not begin for its slot").isEmpty());
        int runs = journal.runs().size();
        long refused = store.next("job");
        Journal.await().until(() -> store.next("job") > refused);
        assertThat(journal.runs()).hasSize(runs);

        ledger.fail(false);

        journal.awaitRun("job", runs + 5);
        journal.assertThatEachSlotWasFiredOnce("job", 1000);
    }

    @Test
    void a_slot_that_was_claimed_by_a_leader_which_stood_still_before_its_job_began_is_fired_by_the_next_one()
            throws Exception {
        Member first = member();
        Member second = member();
        first.scheduleEverySecond(Journal.Recorded.class);
        first.election().lead(1);
        journal.awaitRun("job", 2);
        CompletableFuture<Void> answered = ledger.holdBackAnswers();
        String known = recorded();
        Journal.await().until(() -> !recorded().equals(known));
        int runs = journal.runs().size();

        first.election().follow();
        ledger.answerAtOnce();
        second.election().lead(2);
        journal.awaitRun("job", runs + 2);
        answered.complete(null);

        journal.awaitRun("job", runs + 6);
        journal.assertThatEachSlotWasFiredOnce("job", 1000);
        assertThat(journal.runs().subList(runs, runs + 6))
                .allMatch(run -> run.token().toString().equals("2"));
    }

    /** What the ledger has of the job. */
    private String recorded() {
        return ledger.entries("default").entrySet().stream()
                .filter(entry -> entry.getKey().contains("/fired/"))
                .map(Map.Entry::getValue)
                .collect(Collectors.joining());
    }

    @Test
    void what_a_paused_node_has_acquired_it_neither_fires_nor_gives_up_when_others_have_taken_it_over()
            throws Exception {
        Member first = member(false);
        Member second = member(false);
        first.scheduleEverySecond(Journal.Recorded.class);
        first.election().lead(1);
        List<OperableTrigger> before = first.acquire();

        first.election().follow();
        store.recoverAll();
        second.election().lead(2);
        OperableTrigger slot = second.fire(second.acquire());
        List<OperableTrigger> after = second.acquire();
        assertThat(first.acquire()).isEmpty();

        assertThat(first.store().triggersFired(before)).allMatch(result -> result.getTriggerFiredBundle() == null);
        first.store().releaseAcquiredTrigger(before.get(0));
        assertThat(store.state("job")).isEqualTo("ACQUIRED");
        assertThat(second.fire(after).getPreviousFireTime()).isEqualTo(slot.getNextFireTime());
    }

    @Test
    void what_a_node_has_acquired_before_it_lost_leadership_it_gives_up() throws Exception {
        Member first = member(false);
        first.scheduleEverySecond();
        first.election().lead(1);
        List<OperableTrigger> acquired = first.acquire();
        first.election().follow();
        first.election().lead(2);

        assertThat(first.store().triggersFired(acquired)).allMatch(result -> result.getTriggerFiredBundle() == null);
        first.store().releaseAcquiredTrigger(acquired.get(0));

        assertThat(store.state("job")).isEqualTo("WAITING");
    }

    @Test
    void a_job_whose_firing_others_have_taken_over_does_not_let_the_next_one_begin_beside_theirs() throws Exception {
        Member first = member(false);
        Member second = member(false);
        first.scheduleEverySecond();
        first.election().lead(1);
        OperableTrigger fired = first.fire(first.acquire());
        JobDetail job = first.scheduler.getJobDetail(fired.getJobKey());
        first.election().follow();
        store.recoverAll();
        second.election().lead(2);
        second.store().triggersFired(second.acquire());
        assertThat(store.state("job")).isEqualTo("BLOCKED");

        first.store().triggeredJobComplete(fired, job, Trigger.CompletedExecutionInstruction.NOOP);

        assertThat(store.state("job")).isEqualTo("BLOCKED");
    }

    @Test
    void a_slot_that_the_store_brings_again_is_not_fired_again_neither_by_its_leader_nor_by_the_next()
            throws Exception {
        Member first = member();
        Member second = member();
        first.scheduleEverySecond();
        first.election().lead(1);
        long slot = journal.awaitRun("job", 2).slot();
        Journal.await().pollInterval(Duration.ofMillis(200)).until(() -> {
            // A scheduler that has acquired the trigger meanwhile writes over it.
            store.setBack("job", slot);
            return first.vetoes.get() > 0;
        });
        journal.awaitRun("job", 5);
        Journal.await().until(() -> first.election().runningWork() == 0);
        first.election().follow();
        Journal.await().until(first.scheduler::isInStandbyMode);

        store.setBack("job", slot);
        second.election().lead(2);

        journal.awaitRun("job", 8);
        journal.assertThatEachSlotWasFiredOnce("job", 1000);
        assertThat(first.vetoes.get()).isPositive();
        assertThat(second.vetoes.get()).isPositive();
    }

    @Test
    void a_firing_that_was_handed_back_is_dropped_if_its_slot_is_fired_besides() throws Exception {
        Member first = member(false);
        Member second = member();
        first.scheduleEverySecond();
        first.election().lead(1);
        long slot = first.loseBetweenFiringAndJob(CompletedExecutionInstruction.NOOP);
        assertThat(first.handedBack()).isEqualTo(1);

        store.setBack("job", slot);
        second.election().lead(2);

        Journal.await().until(() -> second.handedBack() == 0);
        journal.awaitRun("job", 5);
        journal.assertThatEachSlotWasFiredOnce("job", 1000);
    }

    @Test
    void why_a_firing_is_given_back_is_told_as_it_is() throws Exception {
        Member first = member(false);
        Member second = member(false);
        first.scheduleEverySecond(Journal.Recorded.class);
        ledger.holdBack();
        first.election().lead(1);
        String givenBack = "DEFAULT.job is given back to the job store, for the leader of 'default': ";

        assertThat(first.vetoes(first.acquire())).isTrue();
        assertThat(log.with(givenBack))
                .containsExactly(
                        givenBack + "the record of the slots that earlier leaders have fired is not loaded yet");
        Journal.await().until(() -> first.handedBack() == 1);
        TriggerFiredBundle fired = first.bundle(first.acquire());
        assertThat(second.vetoes(fired)).isTrue();
        assertThat(log.with(givenBack + "this node does not lead")).hasSize(1);
        assertThat(log.with("any more")).isEmpty();
    }

    private Member member() throws Exception {
        return member(true);
    }

    private Member member(boolean started) throws Exception {
        return member(started, Duration.ofMinutes(5));
    }

    private Member member(boolean started, Duration recoverWithin) throws Exception {
        return opened.add(new Member(started, recoverWithin));
    }

    @DisallowConcurrentExecution
    public static class OneAtATime extends Journal.Recorded {}

    private final class Member implements AutoCloseable {

        private final HandDrivenElections elections = new HandDrivenElections();
        private final AtomicInteger vetoes = new AtomicInteger();
        private final AtomicInteger lost = new AtomicInteger();

        /** So many of its next changes to the store fail. */
        private final AtomicInteger failures = new AtomicInteger();

        private final SchedulerFactoryBean factory = store.scheduler();
        private final Scheduler scheduler;
        private final SharedLedgers ledgers;
        private final QuartzGuards guards;

        private Member(boolean started, Duration recoverWithin) throws Exception {
            factory.afterPropertiesSet();
            scheduler = factory.getScheduler();
            journal.attach(scheduler);
            scheduler.getContext().put(Journal.Lasting.LATCH, new CountDownLatch(0));
            ledgers = new SharedLedgers(() -> elections, need -> ledger, InstantSource.system());
            guards = new QuartzGuards(
                    () -> elections,
                    new QuartzSettings(
                            new GuardRules(name -> name, Map.of(), "default"),
                            new SchedulerChoice(QuartzMode.AUTO, "default", true, recoverWithin)),
                    new JobRecords(
                            ledgers,
                            new JobHistory(() -> elections, NoLedgerStore::new, 0, InstantSource.system(), run -> {})),
                    new QuartzObserver() {
                        @Override
                        public void vetoed(String name, String election) {
                            vetoes.incrementAndGet();
                        }

                        @Override
                        public void lost(String name, String election, int count) {
                            lost.addAndGet(count);
                        }
                    },
                    this::inTransaction,
                    InstantSource.system());
            guards.guard(scheduler);
            guards.afterSingletonsInstantiated();
            if (started) {
                factory.start();
            }
        }

        /** What its scheduler asks. */
        private JobStore store() {
            Object core = ReflectionTestUtils.getField(scheduler, "sched");
            return ((QuartzSchedulerResources) ReflectionTestUtils.getField(core, "resources")).getJobStore();
        }

        private List<OperableTrigger> acquire() throws SchedulerException {
            return store().acquireNextTriggers(System.currentTimeMillis() + 30_000, 1, 0);
        }

        private OperableTrigger fire(List<OperableTrigger> acquired) throws SchedulerException {
            return bundle(acquired).getTrigger();
        }

        private TriggerFiredBundle bundle(List<OperableTrigger> acquired) throws SchedulerException {
            return store().triggersFired(acquired).get(0).getTriggerFiredBundle();
        }

        /** Whether its guard keeps what was acquired from being fired. */
        private boolean vetoes(List<OperableTrigger> acquired) throws SchedulerException {
            return vetoes(bundle(acquired));
        }

        private boolean vetoes(TriggerFiredBundle fired) throws SchedulerException {
            return scheduler
                    .getListenerManager()
                    .getTriggerListener("election")
                    .vetoJobExecution(
                            fired.getTrigger(), new JobExecutionContextImpl(scheduler, fired, new Journal.Recorded()));
        }

        /**
         * The store has given a firing out, and its job does not begin before leadership is lost.
         *
         * @param completion what Quartz makes of the veto
         * @return the slot
         */
        private long loseBetweenFiringAndJob(CompletedExecutionInstruction completion) throws SchedulerException {
            TriggerFiredBundle fired = bundle(acquire());
            election().follow();
            assertThat(vetoes(fired)).isTrue();
            store().triggeredJobComplete(fired.getTrigger(), fired.getJobDetail(), completion);
            return fired.getScheduledFireTime().getTime();
        }

        private int handedBack() throws SchedulerException {
            return scheduler
                    .getTriggerKeys(GroupMatcher.triggerGroupEquals(QuartzData.HANDED_BACK_GROUP))
                    .size();
        }

        private void inTransaction(StoreTransactions.Change change) {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("The database is away, as the test wants it");
            }
            new TransactionTemplate(store.transactions()).executeWithoutResult(status -> {
                try {
                    change.make();
                } catch (Exception failure) {
                    throw new IllegalStateException(failure);
                }
            });
        }

        private HandDrivenElection election() {
            return elections.get("default");
        }

        private void scheduleEverySecond() throws SchedulerException {
            scheduleEverySecond(OneAtATime.class);
        }

        private void scheduleEverySecond(Class<? extends Job> job) throws SchedulerException {
            scheduler.scheduleJob(
                    JobBuilder.newJob(job).withIdentity("job").build(),
                    TriggerBuilder.newTrigger()
                            .withIdentity("job")
                            .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?")
                                    .withMisfireHandlingInstructionIgnoreMisfires())
                            .build());
        }

        @Override
        public void close() throws SchedulerException {
            guards.destroy();
            ledgers.close();
            factory.destroy();
        }
    }
}
