package dev.election.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.JobBuilder;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.transaction.support.TransactionTemplate;

/** Two schedulers on one clustered store: nothing is lost, nothing is doubled, and only the leader runs anything. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ClusteredStoreTest {

    private final Journal journal = new Journal();
    private final ClusteredStore store = new ClusteredStore();
    private final List<Member> members = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (Member member : members) {
            member.close();
        }
        store.close();
    }

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
        int vetoed = first.vetoes.get();
        Journal.await().until(() -> first.vetoes.get() > vetoed);
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
        Member first = member();
        Member second = member();
        first.election().lead(1);
        Journal.await().until(() -> !first.scheduler.isInStandbyMode());
        first.election().outlive();

        first.scheduler.scheduleJob(
                JobBuilder.newJob(Journal.Recorded.class).withIdentity("once").build(),
                TriggerBuilder.newTrigger().withIdentity("once").build());
        Journal.await().until(() -> first.vetoes.get() > 0);
        first.election().follow();
        second.election().lead(2);

        journal.awaitRun("once", 1);
        Journal.await().until(() -> !second.scheduler.checkExists(new JobKey("once")));
        assertThat(journal.runs()).hasSize(1);
    }

    private Member member() throws Exception {
        Member member = new Member();
        members.add(member);
        return member;
    }

    @DisallowConcurrentExecution
    public static class OneAtATime extends Journal.Recorded {}

    private final class Member implements AutoCloseable {

        private final HandDrivenElections elections = new HandDrivenElections();
        private final AtomicInteger vetoes = new AtomicInteger();
        private final SchedulerFactoryBean factory = store.scheduler();
        private final Scheduler scheduler;
        private final QuartzGuards guards;

        private Member() throws Exception {
            factory.afterPropertiesSet();
            scheduler = factory.getScheduler();
            journal.attach(scheduler);
            scheduler.getContext().put(Journal.Lasting.LATCH, new CountDownLatch(0));
            guards = new QuartzGuards(
                    () -> elections,
                    new GuardRules(name -> name, Map.of(), "default"),
                    name -> new SchedulerChoice(QuartzMode.AUTO, "default"),
                    () -> null,
                    new QuartzObserver() {
                        @Override
                        public void vetoed(String name, String election) {
                            vetoes.incrementAndGet();
                        }
                    },
                    this::inTransaction,
                    Duration.ofMinutes(5),
                    InstantSource.system());
            guards.guard(scheduler);
            guards.afterSingletonsInstantiated();
            factory.start();
        }

        private void inTransaction(StoreTransactions.Change change) {
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
            scheduler.scheduleJob(
                    JobBuilder.newJob(OneAtATime.class).withIdentity("job").build(),
                    TriggerBuilder.newTrigger()
                            .withIdentity("job")
                            .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?")
                                    .withMisfireHandlingInstructionIgnoreMisfires())
                            .build());
        }

        @Override
        public void close() throws SchedulerException {
            guards.destroy();
            factory.destroy();
        }
    }
}
