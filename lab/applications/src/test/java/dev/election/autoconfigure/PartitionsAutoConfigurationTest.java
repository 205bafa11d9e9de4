package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.election.Abdication;
import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeaderRecovery;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.NodeInfo;
import dev.election.Partition;
import dev.election.Partitioned;
import dev.election.StoreProblem;
import dev.election.autoconfigure.checks.Finding;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.autoconfigure.internal.actuate.LeaderInfoContributor;
import dev.election.autoconfigure.internal.actuate.elections.GroupView;
import dev.election.autoconfigure.internal.checks.Doctor;
import dev.election.autoconfigure.internal.checks.PartitionCountsCheck;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.fencing.Fenced;
import dev.election.partitions.PartitionGroup;
import dev.election.partitions.Partitions;
import dev.election.spring.scheduling.PartitionedMethods;
import dev.election.spring.scheduling.SlotSchedulingConfigurer;
import dev.election.store.LeaseStore;
import dev.election.store.test.InMemoryLeaseStore;
import dev.election.testing.Nodes;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.annotation.ScheduledAnnotationBeanPostProcessor;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;
import reactor.core.publisher.Mono;

/** Partitions where an application asks for them, and nowhere else. */
class PartitionsAutoConfigurationTest {

    @Configuration
    @EnableScheduling
    static class Scheduling {}

    /** What the methods below have done. A proxy of their bean has no fields of its own. */
    static final class Runs {

        final Map<Integer, AtomicInteger> delayed = new ConcurrentHashMap<>();
        final Map<Integer, AtomicInteger> rated = new ConcurrentHashMap<>();
        final Map<Integer, AtomicInteger> cron = new ConcurrentHashMap<>();
        final Queue<String> threads = new ConcurrentLinkedQueue<>();
        final AtomicInteger elsewhere = new AtomicInteger();
        final CountDownLatch slow = new CountDownLatch(1);
    }

    static class Polls {

        private final Runs runs;

        Polls(Runs runs) {
            this.runs = runs;
        }

        @Partitioned("orders")
        @Scheduled(fixedDelay = 10)
        public void poll() throws InterruptedException {
            Partition partition = Partition.current();
            count(runs.delayed, partition);
            runs.threads.add(Thread.currentThread().getName());
            if (partition.index() == 0) {
                runs.slow.await();
            }
        }

        @Partitioned("orders")
        @Scheduled(fixedRate = 10, initialDelay = 5)
        public void rate() {
            count(runs.rated, Partition.current());
        }

        @Partitioned("${group}")
        @Scheduled(cron = "* * * * * *")
        public void cron() {
            count(runs.cron, Partition.current());
        }

        @Scheduled(fixedDelay = 10)
        public void other() {
            runs.elsewhere.incrementAndGet();
        }

        private static void count(Map<Integer, AtomicInteger> runs, Partition partition) {
            assertThat(partition.group()).isEqualTo("orders");
            assertThat(partition.count()).isEqualTo(4);
            runs.computeIfAbsent(partition.index(), index -> new AtomicInteger())
                    .incrementAndGet();
        }
    }

    static class Ticks {

        private final AtomicInteger ticks = new AtomicInteger();

        @Scheduled(fixedDelay = 10)
        public void tick() {
            ticks.incrementAndGet();
        }

        AtomicInteger ticks() {
            return ticks;
        }
    }

    @Test
    void a_bean_that_is_destroyed_is_not_called_for_its_partitions_any_more() {
        runner().withBean(Runs.class)
                .withBean(Polls.class)
                .withBean(Ticks.class)
                .run(context -> {
                    Runs polls = context.getBean(Runs.class);
                    polls.slow.countDown();
                    Nodes.await("runs").until(() -> runs(polls.delayed, 0, 1, 2, 3) > 20);
                    context.getBeanFactory()
                            .getBean(ScheduledAnnotationBeanPostProcessor.class)
                            .postProcessBeforeDestruction(context.getBean(Polls.class), "polls");
                    AtomicInteger ticks = context.getBean(Ticks.class).ticks();
                    awaitTicks(ticks);
                    int runs = runs(polls.delayed, 0, 1, 2, 3);
                    awaitTicks(ticks);
                    assertThat(runs(polls.delayed, 0, 1, 2, 3)).isEqualTo(runs);
                });
    }

    private static void awaitTicks(AtomicInteger ticks) {
        int before = ticks.get();
        Nodes.await("another method").until(() -> ticks.get() > before + 20);
    }

    @Configuration
    static class OwnScheduler implements SchedulingConfigurer {

        @Override
        public void configureTasks(ScheduledTaskRegistrar tasks) {
            ThreadPoolTaskScheduler own = new ThreadPoolTaskScheduler();
            own.setDaemon(true);
            own.initialize();
            tasks.setTaskScheduler(own);
        }
    }

    @Test
    void a_method_runs_for_each_partition_where_the_application_sets_a_scheduler() {
        runner().withBean(Runs.class)
                .withBean(Polls.class)
                .withUserConfiguration(OwnScheduler.class)
                .run(context -> {
                    Runs polls = context.getBean(Runs.class);
                    polls.slow.countDown();
                    Nodes.await("each partition").until(() -> polls.delayed.size() == 4);
                    context.getBean(SlotSchedulingConfigurer.class).check();
                });
    }

    @Test
    void a_method_runs_for_each_partition_that_is_led_and_a_slow_one_holds_up_no_other() {
        runner().withBean(Runs.class).withBean(Polls.class).run(context -> {
            assertThat(context).hasNotFailed();
            Runs polls = context.getBean(Runs.class);
            Nodes.await("each partition, again and again").until(() -> runs(polls.delayed, 1, 2, 3) > 20);
            Nodes.await("each partition at a rate").until(() -> runs(polls.rated, 0, 1, 2, 3) > 20);
            Nodes.await("each partition by cron").until(() -> runs(polls.cron, 0, 1, 2, 3) > 0);
            assertThat(polls.delayed.get(0)).hasValue(1);
            assertThat(polls.elsewhere.get()).isPositive();
            assertThat(polls.threads).allMatch(name -> name.startsWith("orders-"));
            assertThat(context.getBean(Elections.class).get("orders.0").runningWork())
                    .isPositive();
            polls.slow.countDown();
            Nodes.await("the slow one").until(() -> runs(polls.delayed, 0) > 5);
        });
    }

    private static int runs(Map<Integer, AtomicInteger> runs, int... indexes) {
        int least = Integer.MAX_VALUE;
        for (int index : indexes) {
            least = Math.min(
                    least, runs.getOrDefault(index, new AtomicInteger()).get());
        }
        return least;
    }

    @Test
    void a_partition_that_is_lost_runs_no_more_and_one_that_comes_back_waits_for_its_earlier_run() {
        runner().withBean(Runs.class)
                .withBean(Polls.class)
                .withPropertyValues("election.shutdown.await=100ms")
                .run(context -> {
                    Runs polls = context.getBean(Runs.class);
                    Nodes.await("each partition").until(() -> runs(polls.delayed, 0, 1, 2, 3) > 0);
                    Election first = context.getBean(Elections.class).get("orders.0");
                    Election second = context.getBean(Elections.class).get("orders.1");
                    first.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMillis(50)))
                            .toCompletableFuture()
                            .get(10, TimeUnit.SECONDS);
                    Nodes.await("leadership").until(() -> first.isLeader() && runs(polls.rated, 0) > 0);
                    int rated = runs(polls.rated, 0);
                    Nodes.await("another method of the partition").until(() -> runs(polls.rated, 0) > rated + 5);
                    assertThat(polls.delayed.get(0))
                            .as("beside the earlier run")
                            .hasValue(1);

                    second.setRole(AssignedRole.OBSERVER).toCompletableFuture().get(10, TimeUnit.SECONDS);
                    Nodes.await("the end of the work").until(() -> second.runningWork() == 0);
                    int delayed = runs(polls.delayed, 1);
                    int others = runs(polls.delayed, 2, 3);
                    Nodes.await("the others").until(() -> runs(polls.delayed, 2, 3) > others + 10);
                    assertThat(runs(polls.delayed, 1)).isEqualTo(delayed);

                    polls.slow.countDown();
                    Nodes.await("the one that came back").until(() -> runs(polls.delayed, 0) > 3);
                });
    }

    @Test
    void a_recovery_of_the_group_runs_for_each_partition_before_its_work() {
        Map<Integer, Integer> recovered = new ConcurrentHashMap<>();
        Runs runs = new Runs();
        LeaderRecovery recovery = new LeaderRecovery() {
            @Override
            public String election() {
                return "orders";
            }

            @Override
            public void recover(LeaderWork work) {
                Partition partition = Partition.current();
                assertThat(work.election().name()).isEqualTo("orders." + partition.index());
                assertThat(runs.delayed).doesNotContainKey(partition.index());
                recovered.merge(partition.index(), 1, Integer::sum);
            }
        };
        runs.slow.countDown();
        runner().withBean(Runs.class, () -> runs)
                .withBean(Polls.class)
                .withBean(LeaderRecovery.class, () -> recovery)
                .run(context -> {
                    Nodes.await("each partition").until(() -> runs(runs.delayed, 0, 1, 2, 3) > 0);
                    assertThat(recovered).isEqualTo(Map.of(0, 1, 1, 1, 2, 1, 3, 1));
                });
    }

    @Test
    void threads_are_as_many_as_the_application_says() {
        runner().withBean(Runs.class)
                .withBean(Polls.class)
                .withPropertyValues("election.partitions.orders.threads=2")
                .run(context -> {
                    Runs polls = context.getBean(Runs.class);
                    polls.slow.countDown();
                    Nodes.await("each partition").until(() -> runs(polls.delayed, 0, 1, 2, 3) > 10);
                    assertThat(polls.threads).allMatch(name -> name.equals("orders-1") || name.equals("orders-2"));
                });
    }

    @Test
    void work_by_key_runs_where_the_partition_is_led() {
        runner().run(context -> {
            PartitionGroup orders = context.getBean(Partitions.class).of("orders");
            Nodes.await("all").until(() -> orders.held().size() == 4);
            int[] index = {-1};
            assertThat(orders.runIfHeld(
                            "customer 7", () -> index[0] = Partition.current().index()))
                    .isTrue();
            assertThat(index[0]).isEqualTo(orders.forKey("customer 7"));
        });
    }

    @Test
    void a_node_with_another_count_than_the_store_leads_nothing_and_names_the_property() {
        InMemoryLeaseStore store = new InMemoryLeaseStore();
        runner().withBean(LeaseStore.class, () -> store).run(context -> {
            PartitionGroup orders = context.getBean(Partitions.class).of("orders");
            Nodes.await("all").until(() -> orders.held().size() == 4);
            assertThat(findings(context)).isEmpty();
            runner().withBean(LeaseStore.class, () -> store)
                    .withPropertyValues("election.partitions.orders.count=8", "election.node.id=other")
                    .run(other -> {
                        PartitionGroup refused = other.getBean(Partitions.class).of("orders");
                        Nodes.await("the count")
                                .until(() -> refused.otherCount().isPresent());
                        assertThat(refused.held()).isEmpty();
                        assertThat(findings(other))
                                .containsExactly(new Finding(
                                        "This node leads no partition of 'orders': election.partitions.orders.count is 8, and"
                                                + " the store has 4",
                                        "Set election.partitions.orders.count to 4, or give the group with another count"
                                                + " another name"));
                        assertThat(GroupView.of(refused, other.getBean(NodeMemory.class))
                                        .finding())
                                .isEqualTo(findings(other).get(0));
                        assertThat(health(other).getStatus()).isEqualTo(Status.UP);
                        assertThat(health(other).getDetails().get("orders"))
                                .asInstanceOf(InstanceOfAssertFactories.MAP)
                                .containsEntry("leads", 0)
                                .containsEntry("partitions", 8)
                                .hasEntrySatisfying("problem", problem -> assertThat(problem)
                                        .asString()
                                        .contains("the store has 4"))
                                .hasEntrySatisfying(
                                        "action",
                                        action -> assertThat(action).asString().contains("count to 4"));
                    });
        });
    }

    @Test
    void a_finding_about_a_count_that_agrees_again_is_shown_no_more() {
        PartitionGroup group = mock(PartitionGroup.class);
        Partitions partitions = mock(Partitions.class);
        when(group.name()).thenReturn("orders");
        when(group.otherCount()).thenReturn(Optional.of("8"));
        when(partitions.all()).thenReturn(List.of(group));
        PartitionCountsCheck check = new PartitionCountsCheck(partitions, Optional::empty);
        SpringApplication application = new SpringApplication(Scheduling.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.run();
                Doctor doctor = new Doctor(context, () -> List.of(check), () -> false)) {
            doctor.onApplicationEvent(new ApplicationReadyEvent(application, new String[0], context, Duration.ZERO));
            Nodes.await("the finding").until(() -> doctor.findings().size() == 1);
            when(group.otherCount()).thenReturn(Optional.empty());
            assertThat(doctor.findings()).isEmpty();
        }
    }

    @Test
    void an_error_that_is_not_about_partitions_does_not_name_them() {
        runner().withPropertyValues("election.node.metadata.note=" + "x".repeat(5_000))
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isNotInstanceOf(ElectionConfigurationException.class)
                        .hasMessageContaining("may have 4096: shorten its metadata")
                        .hasMessageNotContaining("election.partitions"));
    }

    @Test
    void the_check_waits_for_the_count_while_another_leader_of_the_first_partition_has_not_written_it() {
        InMemoryLeaseStore store = new InMemoryLeaseStore();
        try (ElectionEngine other =
                ElectionEngine.over(store).as(new NodeInfo("other", "other:80")).build()) {
            other.get("orders.0");
            other.start();
            Nodes.await("a leader").until(() -> other.get("orders.0").isLeader());
            runner().withBean(LeaseStore.class, () -> store).run(context -> {
                PartitionGroup orders = context.getBean(Partitions.class).of("orders");
                Nodes.await("a leader").until(() -> orders.owner(0).isPresent());
                assertThat(context.getBean(PartitionCountsCheck.class).look()).isCompletedExceptionally();
                other.close();
                Nodes.await("all").until(() -> orders.held().size() == 4);
                assertThat(findings(context)).isEmpty();
            });
        }
    }

    private static List<Finding> findings(AssertableApplicationContext context) {
        return context.getBean(PartitionCountsCheck.class)
                .look()
                .toCompletableFuture()
                .join();
    }

    private static Health health(AssertableApplicationContext context) {
        return Objects.requireNonNull(
                context.getBean(LeaderHealthIndicator.class).health());
    }

    @Test
    void health_and_info_show_a_group_in_place_of_its_partitions_and_of_these_what_is_wrong() {
        runner().withPropertyValues("management.info.leader.enabled=true").run(context -> {
            PartitionGroup orders = context.getBean(Partitions.class).of("orders");
            context.getBean(Elections.class).get("other.1");
            Nodes.await("all").until(() -> orders.held().size() == 4);
            Map<String, Object> healthy = Map.of("partitions", 4, "leads", 4, "withoutLeader", 0);
            assertThat(health(context).getDetails()).containsOnlyKeys("node", "orders", "other.1");
            assertThat(health(context).getDetails()).containsEntry("orders", healthy);
            Info.Builder info = new Info.Builder();
            context.getBean(LeaderInfoContributor.class).contribute(info);
            assertThat(info.build().get("leader"))
                    .extracting("elections", InstanceOfAssertFactories.MAP)
                    .containsOnlyKeys("orders", "other.1")
                    .containsEntry("orders", Map.of("partitions", 4, "leads", 4));

            ElectionWatch watch = context.getBean(ElectionWatch.class);
            for (String partition : List.of("orders.1", "orders.3")) {
                watch.onEvent(new LeadershipEvent.StoreFailed(
                        partition, Instant.now(), StoreProblem.UNREACHABLE, "gone", "let it come back"));
            }
            assertThat(health(context).getDetails().get("orders"))
                    .asInstanceOf(InstanceOfAssertFactories.MAP)
                    .containsOnlyKeys("partitions", "leads", "withoutLeader", "orders.1");
            assertThat(GroupView.of(orders, context.getBean(NodeMemory.class)).incident())
                    .isNotNull();
        });
    }

    @Test
    void a_call_by_hand_fails() {
        runner().withBean(Runs.class).withBean(Polls.class).run(context -> {
            Polls polls = context.getBean(Polls.class);
            assertThatIllegalStateException()
                    .isThrownBy(polls::rate)
                    .withMessageContaining("is called by its schedule only")
                    .withMessageContaining("rate()")
                    .withMessageContaining("PartitionGroup.runIfHeld");
            context.getBean(Runs.class).slow.countDown();
        });
    }

    @Test
    void without_partitions_there_is_no_bean_for_them() {
        ElectionContext.inMemory().run(context -> assertThat(context)
                .doesNotHaveBean(Partitions.class)
                .doesNotHaveBean(PartitionedMethods.class));
    }

    static class Result {
        @Partitioned("orders")
        @Scheduled(fixedDelay = 10)
        public Optional<String> work() {
            return Optional.empty();
        }
    }

    static class Reactive {
        @Partitioned("orders")
        @Scheduled(fixedDelay = 10)
        public Mono<Void> work() {
            return Mono.empty();
        }
    }

    static class Parameters {
        @Partitioned("orders")
        @Scheduled(fixedDelay = 10)
        public void work(String text) {}
    }

    static class Unscheduled {
        @Partitioned("orders")
        public void work() {}
    }

    static class Guarded {
        @LeaderOnly
        @Partitioned("orders")
        @Scheduled(fixedDelay = 10)
        public void work() {}
    }

    static class OtherGroup {
        @Partitioned("bills")
        @Scheduled(fixedDelay = 10)
        public void work() {}
    }

    static class Once {
        @Partitioned("orders")
        @Scheduled(initialDelay = 10)
        public void work() {}
    }

    @ParameterizedTest
    @CsvSource({
        "Result, it has a result, Make it a void method",
        "Reactive, it has a result, Make it a void method",
        "Parameters, it has parameters, Make it a void method",
        "Unscheduled, it is not scheduled, Add @Scheduled",
        "Guarded, 'it has a leader guard, too', Remove one of them",
        "OtherGroup, there is no group of partitions, Set election.partitions.bills.count",
        "Once, has neither cron nor fixedDelay nor fixedRate, Set one of them"
    })
    void a_method_that_can_not_be_called_for_each_partition_fails_the_start(String type, String problem, String action)
            throws ClassNotFoundException {
        Class<?> bean = Class.forName(getClass().getName() + "$" + type);
        runner().withBean(bean).run(context -> assertThat(refused(context))
                .hasMessageContaining(type + ".work(")
                .hasMessageContaining(problem)
                .extracting("action")
                .asString()
                .contains(action));
    }

    static class Recovering {
        @Partitioned(value = "orders", recoverWithin = "1h")
        @Scheduled(cron = "* * * * * *")
        public void work() {}
    }

    static class FencedByMethod {
        @Fenced(resource = "files")
        @Partitioned("orders")
        @Scheduled(cron = "* * * * * *")
        public void work() {}
    }

    @Fenced(resource = "files")
    static class FencedByType {
        @Partitioned("orders")
        @Scheduled(cron = "* * * * * *")
        public void work() {}
    }

    @ParameterizedTest
    @ValueSource(classes = {FencedByMethod.class, FencedByType.class})
    void what_several_leaders_write_at_a_time_can_not_be_fenced(Class<?> bean) {
        runner().withBean(bean)
                .withPropertyValues("election.partitions.orders.one-per-process=true")
                .run(context -> assertThat(refused(context))
                        .hasMessageContaining(bean.getSimpleName() + ".work()")
                        .hasMessageContaining("@Fenced, but election.partitions.orders.one-per-process is true")
                        .extracting("action")
                        .isEqualTo("Remove one of them."));
    }

    @Test
    void where_a_process_leads_one_partition_nothing_recovers_slots_and_a_free_partition_is_no_problem() {
        ApplicationContextRunner one = runner().withPropertyValues("election.partitions.orders.one-per-process=true");
        one.withBean(Recovering.class).run(context -> assertThat(refused(context))
                .hasMessageContaining("Recovering.work()")
                .hasMessageContaining("recoverWithin, but election.partitions.orders.one-per-process is true"));
        one.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withConfiguration(AutoConfigurations.of(ElectionMetricsAutoConfiguration.class))
                .run(context -> {
                    PartitionGroup orders = context.getBean(Partitions.class).of("orders");
                    Nodes.await("one").until(() -> orders.held().size() == 1);
                    Nodes.await("the others are not missed")
                            .until(() -> orders.withoutLeader().isEmpty());
                    Map<String, Object> healthy = Map.of("partitions", 4, "leads", 1, "withoutLeader", 0);
                    Nodes.await("no problem is shown")
                            .until(() ->
                                    healthy.equals(health(context).getDetails().get("orders")));
                    GroupView view = GroupView.of(orders, context.getBean(NodeMemory.class));
                    assertThat(view.leaders()).isEqualTo(Map.of("app", orders.held()));
                    assertThat(view.withoutLeader()).isEmpty();
                    MeterRegistry meters = context.getBean(MeterRegistry.class);
                    assertThat(meters.get("election.partitions.led").gauge().value())
                            .isOne();
                    assertThat(meters.get("election.partitions.leaderless")
                                    .gauge()
                                    .value())
                            .isZero();
                });
    }

    interface Work {
        void work();
    }

    static class Implementing implements Work {
        @Override
        @Partitioned("orders")
        @Scheduled(fixedDelay = 10)
        public void work() {}
    }

    @Test
    void a_bean_that_is_called_through_interfaces_fails_the_start() {
        runner().withBean(Work.class, () -> (Work) new ProxyFactory(new Implementing()).getProxy())
                .run(context -> assertThat(refused(context))
                        .hasMessageContaining("Implementing.work()")
                        .hasMessageContaining("called through interfaces"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "election.partitions.orders.count=0",
                "election.partitions.orders.count=33",
                "election.partitions.orders.threads=0",
                "election.partitions.bills.threads=1",
                "election.partitions.bills.one-per-process=true",
                "election.members.enabled=false",
                "election.drainable=false",
                "election.elections.orders.lease=20s"
            })
    void what_can_not_be_configured_fails_the_start(String property) {
        String name =
                property.substring(0, property.indexOf('=')).replace("elections.orders.lease", "partitions.orders");
        runner().withPropertyValues(property).run(context -> assertThat(refused(context))
                .hasMessageContaining(name.replaceAll("bills.*", "bills.count")));
    }

    private static Throwable refused(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        while (failure != null && !(failure instanceof ElectionConfigurationException)) {
            failure = failure.getCause();
        }
        return Objects.requireNonNull(failure, "the start has not failed by the configuration");
    }

    private static ApplicationContextRunner runner() {
        return ElectionContext.inMemory()
                .withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withAllowBeanDefinitionOverriding(true)
                .withBean(LeaseStore.class, () -> new InMemoryLeaseStore())
                .withPropertyValues(
                        "group=orders",
                        "election.lease=2s",
                        "election.partitions.orders.count=4",
                        "election.node.id=app");
    }
}
