package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.Partition;
import dev.election.Partitioned;
import dev.election.Recover;
import dev.election.ScheduledSlot;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRuns;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.CallOutcome;
import dev.election.spring.calls.CallerContext;
import dev.election.store.LeaseStore;
import dev.election.store.test.InMemoryLeaseStore;
import dev.election.testing.Nodes;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Partitioned methods whose slots, starts and runs are recorded, each in the ledger of its partition's election. */
class PartitionedJobsTest {

    private static final int COUNT = 4;

    @Configuration
    @EnableScheduling
    static class Scheduling {}

    /** A run of a slot. */
    private record Run(Instant slot, boolean isRecovery) {}

    /** What the methods have done, by partition. */
    static final class Runs {

        private final Map<Integer, List<Run>> runs = new ConcurrentHashMap<>();
        private final Map<Integer, AtomicInteger> atOnce = new ConcurrentHashMap<>();
        private final AtomicInteger most = new AtomicInteger();
        private volatile CountDownLatch first = new CountDownLatch(0);

        List<Run> of(int index) {
            return runs.computeIfAbsent(index, missing -> new CopyOnWriteArrayList<>());
        }

        /** Each slot from the first to the last one was run, once. */
        void assertComplete() {
            for (int index = 0; index < COUNT; index++) {
                List<Instant> slots = of(index).stream().map(Run::slot).sorted().toList();
                Instant first = slots.get(0);
                assertThat(slots)
                        .as("partition %s", index)
                        .isEqualTo(IntStream.range(0, slots.size())
                                .mapToObj(first::plusSeconds)
                                .toList());
            }
        }

        int fewest() {
            return IntStream.range(0, COUNT)
                    .map(index -> of(index).size())
                    .min()
                    .orElseThrow();
        }

        Instant earliest() {
            return IntStream.range(0, COUNT)
                    .mapToObj(index -> of(index).get(0).slot())
                    .min(Comparator.naturalOrder())
                    .orElseThrow();
        }

        boolean areLastAtTheirTime() {
            return IntStream.range(0, COUNT).mapToObj(this::of).noneMatch(runs -> runs.get(runs.size() - 1)
                    .isRecovery());
        }

        int fewestLate() {
            return (int) IntStream.range(0, COUNT)
                    .mapToLong(
                            index -> of(index).stream().filter(Run::isRecovery).count())
                    .min()
                    .orElseThrow();
        }
    }

    static class Bills {

        private final Runs runs;

        Bills(Runs runs) {
            this.runs = runs;
        }

        @Partitioned(value = "orders", recoverWithin = "1h", recover = Recover.EVERY)
        @Scheduled(cron = "* * * * * *")
        public void bill() throws InterruptedException {
            int index = Partition.current().index();
            ScheduledSlot slot = ScheduledSlot.current().orElseThrow();
            AtomicInteger atOnce = runs.atOnce.computeIfAbsent(index, missing -> new AtomicInteger());
            runs.most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            runs.of(index).add(new Run(slot.scheduledAt(), slot.isRecovery()));
            if (index == 0) {
                runs.first.await();
            }
            atOnce.decrementAndGet();
        }
    }

    @Test
    void slots_that_nobody_ran_are_run_by_the_next_leader_of_their_partition_whose_history_has_all_runs() {
        InMemoryLeaseStore store = new InMemoryLeaseStore();
        Runs runs = new Runs();
        ApplicationContextRunner application = runner().withBean(LeaseStore.class, () -> store)
                .withBean(Runs.class, () -> runs)
                .withBean("bills", Bills.class);
        Instant begun = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        application.withPropertyValues("election.node.id=one").run(context -> {
            assertThat(context).hasNotFailed();
            Nodes.await("two runs for each, and one at its time")
                    .until(() -> runs.fewest() >= 2 && runs.areLastAtTheirTime());
        });
        assertThat(runs.earliest()).as("earlier slots were not missed").isAfterOrEqualTo(begun);
        Instant stopped = Instant.now();
        Nodes.await("slots that nobody runs").until(() -> Instant.now().isAfter(stopped.plusSeconds(2)));
        application.withPropertyValues("election.node.id=two").run(context -> {
            Nodes.await("late runs, and one at its time")
                    .until(() -> runs.fewestLate() >= 2 && runs.areLastAtTheirTime());
            runs.assertComplete();
            JobRuns history = context.getBean(JobRuns.class);
            for (int index = 0; index < COUNT; index++) {
                List<JobRun> recorded =
                        history.of("orders." + index).toCompletableFuture().join();
                assertThat(recorded).allMatch(run -> run.job().equals("bills.bill"));
                assertThat(recorded.stream().map(JobRun::node)).contains("one", "two");
                assertThat(recorded.stream().flatMap(run -> run.slot().stream()).collect(Collectors.toSet()))
                        .containsAll(
                                runs.of(index).stream().map(Run::slot).toList().subList(0, 4));
            }
        });
        assertThat(runs.most).hasValue(1);
    }

    @Test
    void slots_of_a_partition_that_comes_back_wait_for_its_earlier_run() {
        Runs runs = new Runs();
        runs.first = new CountDownLatch(1);
        runner().withBean(Runs.class, () -> runs)
                .withBean("bills", Bills.class)
                .withPropertyValues("election.shutdown.await=100ms")
                .run(context -> {
                    Nodes.await("a run for each").until(() -> runs.fewest() >= 1);
                    Election first = context.getBean(Elections.class).get("orders.0");
                    FencingToken earlier = first.leadership().orElseThrow().token();
                    leave(first);
                    Nodes.await("leadership").until(() -> first.leadership()
                            .filter(next -> next.token().isNewerThan(earlier))
                            .isPresent());
                    int others = runs.of(1).size();
                    Nodes.await("slots of another partition")
                            .until(() -> runs.of(1).size() >= others + 3);
                    assertThat(runs.of(0)).hasSize(1);
                    runs.first.countDown();
                    Nodes.await("the slots since then").until(() -> runs.of(0).size() >= 4);
                    assertThat(runs.of(0).get(1).isRecovery()).isTrue();
                    runs.assertComplete();
                    assertThat(runs.most).hasValue(1);
                });
    }

    private static void leave(Election election) throws Exception {
        election.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMillis(50)))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    static class Polls {

        private final Map<String, AtomicInteger> starts = new ConcurrentHashMap<>();
        private final Set<Integer> interrupted = ConcurrentHashMap.newKeySet();
    }

    static class Polling {

        private final Polls polls;

        Polling(Polls polls) {
            this.polls = polls;
        }

        @Partitioned(value = "orders", atLeastFor = "1h", job = "polls")
        @Scheduled(fixedDelay = 10)
        public void poll() {
            polls.starts
                    .computeIfAbsent("orders." + Partition.current().index(), missing -> new AtomicInteger())
                    .incrementAndGet();
        }

        @Partitioned(value = "orders", atMostFor = "100ms")
        @Scheduled(fixedDelay = 10)
        public void block() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException overdue) {
                polls.interrupted.add(Partition.current().index());
            }
        }
    }

    @Test
    void each_partition_is_not_started_again_too_soon_and_no_call_takes_too_long() {
        Map<String, AtomicInteger> withheld = new ConcurrentHashMap<>();
        CallObserver calls = new CallObserver() {
            @Override
            public void called(
                    String election, CallOutcome outcome, @Nullable FencingToken token, CallerContext caller) {
                if (outcome == CallOutcome.WITHHELD) {
                    withheld.computeIfAbsent(election, missing -> new AtomicInteger())
                            .incrementAndGet();
                }
            }
        };
        Polls polls = new Polls();
        runner().withBean(Polls.class, () -> polls)
                .withBean(Polling.class)
                .withBean("calls", CallObserver.class, () -> calls)
                .run(context -> {
                    List<String> partitions = IntStream.range(0, COUNT)
                            .mapToObj(index -> "orders." + index)
                            .toList();
                    Nodes.await("calls of each that are withheld")
                            .until(() -> withheld.keySet().containsAll(partitions) && polls.starts.size() == COUNT);
                    Nodes.await("the ends of calls").until(() -> polls.interrupted.equals(Set.of(0, 1, 2, 3)));
                    Election second = context.getBean(Elections.class).get("orders.1");
                    leave(second);
                    int before = withheld.get("orders.1").get();
                    Nodes.await("its calls under the next leadership")
                            .until(() -> withheld.get("orders.1").get() > before + 10);
                    assertThat(polls.starts.values()).allMatch(starts -> starts.get() == 1);
                    assertThat(context.getBean(JobRuns.class)
                                    .of("orders.1")
                                    .toCompletableFuture()
                                    .join())
                            .extracting(JobRun::job)
                            .containsExactly("polls");
                });
    }

    private static ApplicationContextRunner runner() {
        return ElectionContext.inMemory()
                .withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withAllowBeanDefinitionOverriding(true)
                .withBean(LeaseStore.class, () -> new InMemoryLeaseStore())
                .withPropertyValues("election.lease=2s", "election.partitions.orders.count=" + COUNT);
    }
}
