package dev.election.quartz.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.autoconfigure.ElectionContext;
import dev.election.autoconfigure.ElectionFailureAnalyzer;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.history.JobRecords;
import dev.election.jobs.ledger.NoLedgerStore;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.quartz.QuartzMode;
import dev.election.quartz.internal.ClusteredStore;
import dev.election.quartz.internal.rules.GuardRules;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.rules.QuartzSettings;
import dev.election.quartz.internal.rules.SchedulerChoice;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.quartz.internal.scheduler.StoreTransactions;
import dev.election.quartz.internal.turns.QuartzGuards;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerListener;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.listeners.SchedulerListenerSupport;
import org.quartz.listeners.TriggerListenerSupport;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.SchedulerFactoryBeanCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Quartz schedulers in an application. */
@ExtendWith(OutputCaptureExtension.class)
class QuartzAutoConfigurationTest {

    private static final List<String> RUNS = new CopyOnWriteArrayList<>();

    private final HandDrivenElections elections = new HandDrivenElections();
    private final ApplicationContextRunner runner = ElectionContext.inMemory()
            .withConfiguration(AutoConfigurations.of(QuartzAutoConfiguration.class))
            .withBean(Elections.class, () -> elections);

    @BeforeEach
    void log_what_applications_log() {
        level(Level.INFO);
    }

    @AfterEach
    void log_as_other_tests_do() {
        level(null);
    }

    @Test
    void the_scheduler_of_Spring_Boot_is_guarded_and_runs_its_jobs_on_the_leader(CapturedOutput output) {
        RUNS.clear();
        runner.withUserConfiguration(Jobs.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(listener(context.getBean(Scheduler.class))).isNotNull();
            assertThat(output).contains("fires on every node").contains("RAMJobStore is local");

            elections.lead("reports");

            await().until(() -> RUNS.contains("reports"));
            assertThat(RUNS).doesNotContain("other");
            elections.lead("default");
            await().until(() -> RUNS.contains("other"));
        });
    }

    @Test
    void this_node_takes_part_in_the_elections_that_jobs_and_groups_name_and_that_of_the_schedulers() {
        runner.withUserConfiguration(Jobs.class)
                .withPropertyValues("election.quartz.groups.billing=money")
                .run(context -> assertThat(elections.all())
                        .extracting(Election::name)
                        .containsExactly("data", "default", "money", "reports"));
        runner.withPropertyValues("election.quartz.mode=standby", "election.quartz.election=second")
                .run(context -> assertThat(elections.find("second")).isPresent());
    }

    @Test
    void a_scheduler_without_jobs_joins_no_election_and_each_job_that_is_added_joins_its_own() {
        runner.run(context -> {
            Scheduler scheduler = context.getBean(Scheduler.class);
            assertThat(elections.all()).isEmpty();

            scheduler.addJob(
                    JobBuilder.newJob(Reports.class)
                            .withIdentity("reports")
                            .storeDurably()
                            .build(),
                    false);
            assertThat(elections.all()).extracting(Election::name).containsExactly("reports");

            scheduler.scheduleJob(
                    JobBuilder.newJob(Plain.class).withIdentity("plain").build(),
                    TriggerBuilder.newTrigger().build());
            assertThat(elections.all()).extracting(Election::name).containsExactly("default", "reports");
        });
    }

    @Test
    void a_job_whose_guard_can_t_be_kept_is_an_error_at_the_start(CapturedOutput output) {
        runner.withUserConfiguration(LimitedJob.class).run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("sets atMostFor"));
        try (ClusteredStore store = new ClusteredStore()) {
            clustered(store).run(context -> {
                context.getBean(Scheduler.class)
                        .addJob(
                                JobBuilder.newJob(Limited.class)
                                        .withIdentity("late")
                                        .storeDurably()
                                        .build(),
                                false);
                assertThat(output).containsOnlyOnce("The job DEFAULT.late will not run: The guard of the class");
            });
            clustered(store).run(context -> assertThat(context).getFailure().hasMessageContaining("sets atMostFor"));
        }
    }

    @Test
    void several_schedulers_are_all_guarded() {
        runner.withUserConfiguration(Several.class)
                .withPropertyValues("election.quartz.mode=standby")
                .run(context -> {
                    Map<String, Scheduler> schedulers = context.getBeansOfType(Scheduler.class);
                    assertThat(schedulers).hasSize(3).allSatisfy((name, scheduler) -> assertThat(listener(scheduler))
                            .as(name)
                            .isNotNull());
                    assertThat(schedulers.get("first").isInStandbyMode()).isTrue();
                    assertThat(schedulers.get("second").isInStandbyMode()).isTrue();

                    elections.lead("default");

                    await().until(() -> !schedulers.get("first").isInStandbyMode());
                    await().until(() -> !schedulers.get("second").isInStandbyMode());
                });
    }

    @Test
    void a_scheduler_that_starts_late_is_put_on_standby_when_it_starts() {
        runner.withPropertyValues("election.quartz.mode=standby", "spring.quartz.startup-delay=1s")
                .run(context -> {
                    Scheduler scheduler = context.getBean(Scheduler.class);
                    await().until(scheduler::isStarted);
                    await().until(scheduler::isInStandbyMode);

                    elections.lead("default");

                    await().until(() -> !scheduler.isInStandbyMode());
                });
    }

    @Test
    void a_scheduler_that_starts_by_hand_is_not_started_by_leadership() {
        runner.withPropertyValues("election.quartz.mode=standby", "spring.quartz.auto-startup=false")
                .run(context -> {
                    Scheduler scheduler = context.getBean(Scheduler.class);
                    elections.lead("default");
                    assertThat(scheduler.isStarted()).isFalse();

                    scheduler.start();

                    await().until(() -> !scheduler.isInStandbyMode());
                    elections.follow("default");
                    await().until(scheduler::isInStandbyMode);
                });
    }

    @Test
    void with_a_clustered_store_a_scheduler_is_on_standby_and_the_log_says_why(CapturedOutput output) {
        try (ClusteredStore store = new ClusteredStore()) {
            clustered(store).run(context -> {
                Scheduler scheduler = context.getBean(Scheduler.class);
                assertThat(scheduler.isInStandbyMode()).isTrue();
                assertThat(output)
                        .contains("is on standby unless this node leads 'default'")
                        .contains("clustered");
                elections.lead("default");
                await().until(() -> !scheduler.isInStandbyMode());
            });
        }
    }

    @Test
    void what_is_handed_back_to_a_clustered_store_is_written_in_a_transaction_of_the_application() {
        InMemoryLedgerStore ledger = new InMemoryLedgerStore();
        CompletableFuture<Boolean> transactional = new CompletableFuture<>();
        try (ClusteredStore store = new ClusteredStore()) {
            clustered(store)
                    .withBean("own", LedgerStore.class, () -> ledger)
                    .withPropertyValues("election.quartz.confirm-claims=true")
                    .withBean(PlatformTransactionManager.class, store::transactions)
                    .run(context -> {
                        Scheduler scheduler = context.getBean(Scheduler.class);
                        scheduler.getListenerManager().addSchedulerListener(new SchedulerListenerSupport() {
                            @Override
                            public void jobScheduled(Trigger trigger) {
                                if (trigger.getKey().getGroup().equals(QuartzData.HANDED_BACK_GROUP)) {
                                    transactional.complete(
                                            TransactionSynchronizationManager.isActualTransactionActive());
                                }
                            }
                        });
                        elections.lead("default");
                        await().until(() -> !scheduler.isInStandbyMode());
                        ledger.fail(true);
                        scheduler.scheduleJob(
                                JobBuilder.newJob(Plain.class)
                                        .withIdentity("once")
                                        .build(),
                                TriggerBuilder.newTrigger().build());
                        assertThat(transactional.get(20, TimeUnit.SECONDS)).isTrue();
                        elections.get("default").follow();
                    });
        }
    }

    @Test
    void vetoes_with_a_clustered_store_are_warned_of(CapturedOutput output) {
        try (ClusteredStore store = new ClusteredStore()) {
            clustered(store).withPropertyValues("election.quartz.mode=veto").run(context -> {
                assertThat(context.getBean(Scheduler.class).isInStandbyMode()).isFalse();
                assertThat(output).contains("LOST for all nodes");
            });
        }
    }

    @Test
    void with_no_election_to_follow_a_clustered_scheduler_runs_and_that_is_warned_of(CapturedOutput output) {
        try (ClusteredStore store = new ClusteredStore()) {
            clustered(store).withPropertyValues("election.quartz.election=*").run(context -> {
                assertThat(context.getBean(Scheduler.class).isInStandbyMode()).isFalse();
                assertThat(output).contains("LOST for all nodes");
            });
        }
    }

    @Test
    void a_scheduler_can_t_be_on_standby_without_an_election_to_follow() {
        runner.withPropertyValues("election.quartz.election=*", "election.quartz.mode=standby")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(ElectionConfigurationException.class)
                        .rootCause()
                        .hasMessageContaining("election.quartz.election is '*'"));
    }

    @Test
    void a_scheduler_that_is_made_when_this_node_leads_already_takes_over_at_once() {
        RUNS.clear();
        runner.withUserConfiguration(Late.class).run(context -> {
            elections.lead("default");

            Scheduler scheduler = context.getBean(Scheduler.class);
            scheduler.scheduleJob(
                    JobBuilder.newJob(Plain.class).withIdentity("late").build(),
                    TriggerBuilder.newTrigger().build());
            scheduler.start();

            await().until(() -> RUNS.contains("late"));
        });
    }

    @Test
    void a_listener_of_the_application_stays() {
        runner.withUserConfiguration(WithListener.class).run(context -> {
            Scheduler scheduler = context.getBean(Scheduler.class);
            assertThat(scheduler.getListenerManager().getTriggerListeners())
                    .contains(context.getBean(TriggerListener.class))
                    .hasSize(2);
        });
    }

    @Test
    void it_can_be_switched_off() {
        for (String property : new String[] {"election.quartz.enabled=false", "election.enabled=false"}) {
            runner.withPropertyValues(property).run(context -> {
                assertThat(context).hasNotFailed().doesNotHaveBean(QuartzGuards.class);
                assertThat(listener(context.getBean(Scheduler.class))).isNull();
            });
        }
    }

    @Test
    void where_it_is_switched_off_marked_jobs_run_on_every_node() {
        RUNS.clear();
        runner.withUserConfiguration(Jobs.class)
                .withPropertyValues("election.quartz.enabled=false")
                .run(context -> {
                    context.getBean(Scheduler.class)
                            .scheduleJob(
                                    JobBuilder.newJob(Marked.class)
                                            .withIdentity("marked")
                                            .build(),
                                    TriggerBuilder.newTrigger().build());

                    await().until(() -> RUNS.containsAll(List.of("marked", "reports")));
                });
    }

    @Test
    void the_guards_of_the_application_win() {
        QuartzGuards own = new QuartzGuards(
                () -> elections,
                new QuartzSettings(
                        new GuardRules(name -> name, Map.of(), QuartzData.EVERY_NODE),
                        new SchedulerChoice(QuartzMode.VETO, "default", true, Duration.ZERO)),
                new JobRecords(
                        new SharedLedgers(() -> elections, need -> new NoLedgerStore(), InstantSource.system()),
                        new JobHistory(() -> elections, NoLedgerStore::new, 0, InstantSource.system(), run -> {})),
                QuartzObserver.NONE,
                StoreTransactions.NONE,
                InstantSource.system());
        runner.withBean("electionQuartzGuards", QuartzGuards.class, () -> own).run(context -> {
            assertThat(context).getBean(QuartzGuards.class).isSameAs(own);
            assertThat(listener(context.getBean(Scheduler.class))).isNotNull();
        });
    }

    @Test
    void the_leaders_write_in_the_Redis_of_the_elections_and_in_no_other_log_if_the_application_has_one() {
        ElectionContext.overRedis().run(context -> {
            assertThat(context).hasSingleBean(LedgerStore.class);
            assertThat(context.getBeanFactory().containsSingleton("electionLedgerStore"))
                    .as("made although nobody needs it")
                    .isFalse();
        });
        ElectionContext.overRedis()
                .withBean("own", LedgerStore.class, InMemoryLedgerStore::new)
                .run(context ->
                        assertThat(context).getBeanNames(LedgerStore.class).containsExactly("own"));
        runner.run(context -> assertThat(context).doesNotHaveBean(LedgerStore.class));
    }

    @Test
    void a_store_without_a_ledger_store_fails_the_start_and_the_analysis_says_what_to_do() {
        overStore().run(context -> {
            assertThat(context).hasFailed();
            assertThat(new ElectionFailureAnalyzer().analyze(context.getStartupFailure()))
                    .satisfies(analysis -> {
                        assertThat(analysis.getDescription()).contains("Quartz").contains("no LedgerStore bean");
                        assertThat(analysis.getAction())
                                .contains("Define a LedgerStore bean")
                                .contains("election.jobs.ledger=off");
                    });
        });
    }

    @Test
    void a_store_that_has_a_ledger_store_needs_no_bean() {
        InMemoryLedgerStore ledger = new InMemoryLedgerStore();
        overLedgerStoreOf(ledger).withUserConfiguration(Jobs.class).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(LedgerStore.class);
            await().until(() -> !ledger.entries("default").isEmpty());
        });
    }

    @Test
    void a_ledger_store_bean_comes_before_the_ledger_store_of_the_store() {
        InMemoryLedgerStore unused = new InMemoryLedgerStore();
        InMemoryLedgerStore bean = new InMemoryLedgerStore();
        overLedgerStoreOf(unused)
                .withUserConfiguration(Jobs.class)
                .withBean(LedgerStore.class, () -> bean)
                .run(context -> await().until(() -> !bean.entries("default").isEmpty()));
        assertThat(unused.entries("default")).isEmpty();
    }

    @Test
    void elections_that_the_application_makes_over_a_store_of_its_own_need_a_ledger_store_too() {
        ApplicationContextRunner own = new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElectionContext.LISTED.toArray(Class<?>[]::new)))
                .withConfiguration(AutoConfigurations.of(QuartzAutoConfiguration.class))
                .withBean(Elections.class, () -> ElectionEngine.over(ElectionContext.store())
                        .build());
        own.run(context -> assertThat(context)
                .getFailure()
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("no LedgerStore in which a leader could record the slots"));
        own.withBean(LedgerStore.class, InMemoryLedgerStore::new)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_scheduler_that_is_made_late_over_a_store_without_a_ledger_store_is_refused() {
        ElectionContext.inMemory().withUserConfiguration(Late.class).run(context -> assertThatThrownBy(
                        () -> context.getBean(Scheduler.class))
                .hasRootCauseInstanceOf(ElectionConfigurationException.class)
                .rootCause()
                .hasMessageContaining("no LedgerStore in which a leader could record the slots"));
    }

    @Test
    void elections_that_keep_nothing_in_a_store_need_no_ledger_store() {
        runner.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LedgerStore.class));
    }

    @Test
    void elections_that_keep_nothing_in_a_store_do_not_write_in_the_ledger_store_of_one() {
        RUNS.clear();
        InMemoryLedgerStore unused = new InMemoryLedgerStore();
        elections.lead("default");
        overLedgerStoreOf(unused)
                .withBean(Elections.class, () -> elections)
                .withUserConfiguration(Jobs.class)
                .run(context -> await().until(() -> RUNS.contains("other")));
        assertThat(unused.entries("default")).isEmpty();
    }

    @Test
    void without_a_scheduler_nobody_needs_a_ledger_store() {
        ElectionContext.inMemory().run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void where_Quartz_is_not_guarded_nobody_needs_a_ledger_store() {
        overStore().withPropertyValues("election.quartz.enabled=false").run(context -> assertThat(context)
                .hasNotFailed());
    }

    @Test
    void the_ledger_store_of_the_application_is_written_in() {
        RUNS.clear();
        InMemoryLedgerStore ledger = new InMemoryLedgerStore();
        overStore()
                .withBean(LedgerStore.class, () -> ledger)
                .withUserConfiguration(Jobs.class)
                .run(context -> {
                    await().until(() -> RUNS.contains("other"));

                    await().until(() -> !ledger.entries("default").isEmpty());
                    assertThat(context).hasSingleBean(QuartzLedgerCheck.class);
                });
    }

    @Test
    void where_the_ledger_is_off_jobs_run_and_no_ledger_store_is_needed_or_written_in() {
        // As YAML reads "off", too.
        for (String off : new String[] {"off", "false"}) {
            RUNS.clear();
            InMemoryLedgerStore ledger = new InMemoryLedgerStore();
            ApplicationContextRunner without = overStore()
                    .withPropertyValues("election.jobs.ledger=" + off)
                    .withUserConfiguration(Jobs.class);
            without.run(context -> await().until(() -> RUNS.contains("other")));
            RUNS.clear();
            without.withBean(LedgerStore.class, () -> ledger).run(context -> {
                await().until(() -> RUNS.contains("other"));
                assertThat(context).doesNotHaveBean(QuartzLedgerCheck.class);
            });
            assertThat(ledger.entries("default")).isEmpty();
        }
    }

    @Test
    void without_Quartz_there_is_nothing() {
        for (Class<?> absent : new Class<?>[] {Scheduler.class, SchedulerFactoryBean.class}) {
            ElectionContext.inMemory()
                    .withBean(Elections.class, () -> elections)
                    .withClassLoader(new FilteredClassLoader(absent))
                    .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(QuartzGuards.class));
        }
    }

    @Test
    void without_a_scheduler_nobody_needs_elections() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElectionContext.LISTED.toArray(Class<?>[]::new)))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(QuartzGuards.class));
    }

    @Test
    void a_scheduler_without_elections_fails_the_start() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElectionContext.LISTED.toArray(Class<?>[]::new)))
                .withConfiguration(AutoConfigurations.of(QuartzAutoConfiguration.class))
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(ElectionConfigurationException.class)
                        .hasMessageContaining("Quartz")
                        .hasMessageContaining("no lease store to elect a leader with"));
    }

    @Test
    void a_name_that_is_none_fails_the_start_and_says_where_it_stands() {
        runner.withPropertyValues("election.quartz.groups.billing=no name").run(context -> {
            assertThat(context).hasFailed();
            assertThat(new ElectionFailureAnalyzer().analyze(context.getStartupFailure()))
                    .satisfies(analysis -> {
                        assertThat(analysis.getDescription()).contains("election.quartz.groups.billing");
                        assertThat(analysis.getAction()).contains("every node");
                    });
        });
    }

    @Test
    void a_negative_window_fails_the_start() {
        runner.withPropertyValues("election.quartz.recover-within=-1s").run(context -> {
            assertThat(context).hasFailed();
            assertThat(new ElectionFailureAnalyzer()
                            .analyze(context.getStartupFailure())
                            .getAction())
                    .contains("election.quartz.recover-within");
        });
    }

    private static void level(@Nullable Level level) {
        ((Logger) LoggerFactory.getLogger("dev.election.quartz")).setLevel(level);
    }

    /** Elections in earnest, over a store that brings no ledger store. */
    private static ApplicationContextRunner overStore() {
        return ElectionContext.inMemory().withConfiguration(AutoConfigurations.of(QuartzAutoConfiguration.class));
    }

    private static ApplicationContextRunner overLedgerStoreOf(InMemoryLedgerStore ledger) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElectionContext.LISTED.toArray(Class<?>[]::new)))
                .withConfiguration(AutoConfigurations.of(
                        PropertyPlaceholderAutoConfiguration.class,
                        LifecycleAutoConfiguration.class,
                        QuartzAutoConfiguration.class))
                .withBean(LeaseStore.class, () -> new ForwardingLeaseStore(ElectionContext.store()) {
                    @Override
                    public Optional<LedgerStore> ledgerStore() {
                        return Optional.of(ledger);
                    }
                });
    }

    private ApplicationContextRunner clustered(ClusteredStore store) {
        return runner.withBean(SchedulerFactoryBean.class, store::scheduler);
    }

    private static TriggerListener listener(Scheduler scheduler) {
        try {
            return scheduler.getListenerManager().getTriggerListener("election");
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
    }

    private static org.awaitility.core.ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(20)).pollInterval(Duration.ofMillis(10));
    }

    @Configuration(proxyBeanMethods = false)
    static class Jobs {

        @Bean
        JobDetail reports() {
            return JobBuilder.newJob(Reports.class)
                    .withIdentity("reports")
                    .storeDurably()
                    .build();
        }

        @Bean
        JobDetail other() {
            return JobBuilder.newJob(Plain.class)
                    .withIdentity("other")
                    .storeDurably()
                    .build();
        }

        @Bean
        JobDetail withData() {
            return JobBuilder.newJob(Plain.class)
                    .withIdentity("with data")
                    .usingJobData(QuartzData.ELECTION, "data")
                    .storeDurably()
                    .build();
        }

        @Bean
        Trigger reportsTrigger() {
            return TriggerBuilder.newTrigger().forJob("reports").build();
        }

        @Bean
        Trigger otherTrigger() {
            return TriggerBuilder.newTrigger().forJob("other").build();
        }

        @Bean
        Trigger dataTrigger() {
            return TriggerBuilder.newTrigger().forJob("with data").build();
        }
    }

    @LeaderOnly(atMostFor = "5m")
    static class Limited implements Job {
        @Override
        public void execute(JobExecutionContext context) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class LimitedJob {
        @Bean
        JobDetail limited() {
            return JobBuilder.newJob(Limited.class)
                    .withIdentity("limited")
                    .storeDurably()
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Several {

        @Bean
        SchedulerFactoryBean first() {
            return named("first");
        }

        @Bean
        SchedulerFactoryBean second() {
            return named("second");
        }

        @Bean(destroyMethod = "shutdown")
        Scheduler byHand() throws SchedulerException {
            StdSchedulerFactory factory = new StdSchedulerFactory();
            java.util.Properties properties = new java.util.Properties();
            properties.setProperty("org.quartz.scheduler.instanceName", "by hand");
            properties.setProperty("org.quartz.threadPool.threadCount", "1");
            factory.initialize(properties);
            return factory.getScheduler();
        }

        private static SchedulerFactoryBean named(String name) {
            SchedulerFactoryBean factory = new SchedulerFactoryBean();
            factory.setSchedulerName(name);
            return factory;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Late {

        @Bean
        @Lazy
        SchedulerFactoryBean late() {
            return new SchedulerFactoryBean();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithListener {

        @Bean
        TriggerListener own() {
            return new TriggerListenerSupport() {
                @Override
                public String getName() {
                    return "own";
                }
            };
        }

        @Bean
        SchedulerFactoryBeanCustomizer customizer(TriggerListener listener) {
            return factory -> factory.setGlobalTriggerListeners(listener);
        }
    }

    /** Final, so that nothing could be put around it. */
    @LeaderOnly("reports")
    public static final class Reports implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            RUNS.add(context.getJobDetail().getKey().getName());
        }
    }

    /** Not final, so that something could be put around it. */
    @LeaderOnly("reports")
    public static class Marked extends Plain {}

    public static class Plain implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            RUNS.add(context.getJobDetail().getKey().getName());
        }
    }
}
