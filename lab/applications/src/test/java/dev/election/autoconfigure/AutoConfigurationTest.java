package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.NodeInfo;
import dev.election.Role;
import dev.election.autoconfigure.internal.BootReadiness;
import dev.election.autoconfigure.internal.metrics.ElectionMeters;
import dev.election.redis.RedisLeaseStore;
import dev.election.spring.Candidacy;
import dev.election.spring.LeaderBoundLifecycleProcessor;
import dev.election.spring.bound.LeaderBoundRegistry;
import dev.election.spring.guard.GuardReader;
import dev.election.spring.guard.LeaderGuardPostProcessor;
import dev.election.spring.guard.LeaderGuardPrecedence;
import dev.election.spring.lifecycle.ContextElections;
import dev.election.spring.lifecycle.ElectionLifecycle;
import dev.election.spring.lifecycle.EventPublication;
import dev.election.store.CampaignRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.LeaseStoreDecorator;
import dev.election.store.StoreRequest;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.LoggedLines;
import io.lettuce.core.RedisClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisOperations;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import reactor.core.publisher.Flux;

@ExtendWith(OutputCaptureExtension.class)
class AutoConfigurationTest {

    @BeforeEach
    void log_what_applications_log() {
        level(Level.INFO);
    }

    @AfterEach
    void log_as_other_tests_do() {
        level(null);
    }

    @Test
    void an_application_with_redis_gets_everything_even_while_redis_is_away() {
        ElectionContext.overRedis().withUserConfiguration(Guarded.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context)
                    .hasSingleBean(RedisLeaseStore.class)
                    .hasSingleBean(ElectionEngine.class)
                    .doesNotHaveBean(NodeInfo.class)
                    .hasSingleBean(ElectionLifecycle.class)
                    .hasSingleBean(EventPublication.class)
                    .hasSingleBean(GuardReader.class)
                    .hasSingleBean(LeaderGuardPostProcessor.class);
            assertThat(context.getBean(Elections.class).find("reports")).isPresent();
            assertThat(context.getBean(Elections.class).find(Election.DEFAULT)).isEmpty();
            assertThat(context.getBean(Guarded.class).work()).isNull();
        });
    }

    @Test
    void an_observer_knows_the_leader_and_its_guarded_methods_skip() {
        try (LoggedLines log = new LoggedLines("dev.election")) {
            ElectionContext.inMemory()
                    .withUserConfiguration(Guarded.class)
                    .withPropertyValues("election.role=observer", "election.elections.own.role=candidate")
                    .run(context -> {
                        Elections elections = context.getBean(Elections.class);
                        Election reports = elections.get("reports");
                        Election own = elections.get("own");
                        assertThat(own.awaitLeadership(Duration.ofSeconds(10))).isTrue();
                        assertThat(reports.role()).isEqualTo(Role.OBSERVER);
                        try (ElectionEngine other = ElectionEngine.over(context.getBean(LeaseStore.class))
                                .as(new NodeInfo("other", "other:80"))
                                .build()) {
                            other.get("reports");
                            other.start();
                            assertThat(reports.awaitResult(Duration.ofSeconds(10)))
                                    .isTrue();
                            assertThat(reports.leader().orElseThrow().node()).isEqualTo("other");
                            assertThat(context.getBean(Guarded.class).work()).isNull();
                        }
                        reports.setRole(AssignedRole.CANDIDATE);
                        assertThat(reports.awaitLeadership(Duration.ofSeconds(10)))
                                .isTrue();
                        assertThat(context.getBean(Guarded.class).work()).isEqualTo("done");
                        reports.setRole(AssignedRole.OBSERVER)
                                .toCompletableFuture()
                                .get(10, TimeUnit.SECONDS);
                        assertThat(reports.role()).isEqualTo(Role.OBSERVER);
                        assertThat(context.getBean(Guarded.class).work()).isNull();
                    });
            assertThat(log.with(", as an observer in 'reports'")).hasSize(1);
        }
    }

    @Test
    void an_application_that_has_nothing_to_do_with_leadership_takes_part_in_no_election(CapturedOutput output) {
        ElectionContext.inMemory()
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withUserConfiguration(HearsEverything.class)
                .run(context -> {
                    assertThat(context).hasSingleBean(ElectionMeters.class).hasSingleBean(EventPublication.class);
                    Elections elections = context.getBean(Elections.class);
                    assertThat(elections.all()).isEmpty();
                    assertThat(output).containsOnlyOnce("This application takes part in no election");
                    assertThat(elections.get("asked").awaitLeadership(Duration.ofSeconds(10)))
                            .isTrue();
                });
    }

    @ParameterizedTest
    @ValueSource(classes = {ListenerBean.class, HearsOneEvent.class, HearsAll.class, HearsPayload.class})
    void an_application_that_listens_to_leadership_takes_part_in_the_default_election(
            Class<?> listener, CapturedOutput output) {
        ElectionContext.inMemory().withUserConfiguration(listener).run(context -> {
            assertThat(context.getBean(Elections.class).all())
                    .extracting(Election::name)
                    .containsExactly(Election.DEFAULT);
            assertThat(output).doesNotContain("takes part in no election");
        });
    }

    @Test
    void an_application_that_listens_and_has_guards_takes_part_in_the_elections_of_its_guards() {
        ElectionContext.inMemory()
                .withUserConfiguration(Guarded.class, ListenerBean.class)
                .run(context -> assertThat(context.getBean(Elections.class).all())
                        .extracting(Election::name)
                        .containsExactly("reports"));
    }

    @Test
    void an_application_leads_its_guarded_work() {
        ElectionContext.inMemory().withUserConfiguration(Guarded.class).run(context -> {
            Election election = context.getBean(Elections.class).get("reports");
            assertThat(election.awaitLeadership(Duration.ofSeconds(10))).isTrue();
            Awaitility.await()
                    .untilAsserted(() ->
                            assertThat(context.getBean(Guarded.class).work()).isEqualTo("done"));
        });
    }

    /** Checkpoint and restore pause a context and restart it, and so do processes that are copied while their context is stopped. */
    @Test
    void a_context_that_is_started_again_takes_part_as_another_candidate_on_another_node() {
        Set<String> nodes = ConcurrentHashMap.newKeySet();
        Set<String> instances = ConcurrentHashMap.newKeySet();
        LeaseStoreDecorator recording = store -> new ForwardingLeaseStore(store) {
            @Override
            public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
                requests.stream()
                        .filter(CampaignRequest.class::isInstance)
                        .map(request -> ((CampaignRequest) request).candidate())
                        .forEach(candidate -> {
                            nodes.add(candidate.node().id());
                            instances.add(candidate.candidacy().split("\\.")[0]);
                        });
                return super.send(requests);
            }
        };
        ElectionContext.inMemory()
                .withUserConfiguration(Guarded.class)
                .withBean(LeaseStoreDecorator.class, () -> recording)
                .run(context -> {
                    Election election = context.getBean(Elections.class).get("reports");
                    assertThat(election.awaitLeadership(Duration.ofSeconds(10))).isTrue();
                    context.pause();
                    context.restart();
                    assertThat(election.awaitLeadership(Duration.ofSeconds(10))).isTrue();
                    context.stop();
                    context.start();
                    assertThat(election.awaitLeadership(Duration.ofSeconds(10))).isTrue();
                    assertThat(instances).hasSize(3);
                    assertThat(nodes)
                            .hasSize(3)
                            .contains(context.getBean(Elections.class).node());
                });
    }

    @Test
    void switched_off_there_are_only_a_warning_checks_and_what_receivers_of_tokens_need_and_guarded_methods_run(
            CapturedOutput output) {
        ElectionContext.overRedis()
                .withUserConfiguration(Guarded.class)
                .withPropertyValues("election.enabled=false")
                .run(context -> {
                    assertThat(Arrays.stream(context.getBeanDefinitionNames())
                                    .filter(name -> name.startsWith("election")))
                            .containsExactlyInAnyOrder(
                                    "electionDisabledWarning",
                                    "electionFencesWithoutElections",
                                    "electionPreconditions",
                                    "electionFenceSchema",
                                    "electionFencedTable",
                                    "electionTokenGate",
                                    "electionFencedRedis",
                                    "election-dev.election.autoconfigure.ElectionProperties",
                                    "election.fencing-dev.election.fencing.autoconfigure.ElectionFencingProperties");
                    assertThat(context.getBean(Guarded.class).work()).isEqualTo("done");
                    assertThat(context.getBean(DefaultLifecycleProcessor.class))
                            .isNotInstanceOf(LeaderBoundLifecycleProcessor.class);
                    assertThat(output).containsOnlyOnce("run on EVERY replica");
                });
    }

    @Test
    void the_elections_of_the_application_win() {
        HandDrivenElections own = new HandDrivenElections();
        ElectionContext.overRedis()
                .withUserConfiguration(Guarded.class)
                .withBean(Elections.class, () -> own)
                .run(context -> {
                    assertThat(context).hasSingleBean(Elections.class).doesNotHaveBean(LeaseStore.class);
                    assertThat(own.calls()).containsExactly("start");
                    own.lead("reports");
                    assertThat(context.getBean(Guarded.class).work()).isEqualTo("done");
                });
        assertThat(own.calls()).containsExactly("start", "stop");
    }

    @Test
    void the_store_identity_reader_and_publication_of_the_application_win() {
        GuardReader reader = new GuardReader(name -> name, () -> {
            throw new AssertionError();
        });
        EventPublication publication = new EventPublication(event -> {});
        ElectionContext.overRedis()
                .withBean("ownStore", LeaseStore.class, ElectionContext::store)
                .withBean("ownNode", NodeInfo.class, () -> new NodeInfo("mine", "mine:1"))
                .withBean("electionGuardReader", GuardReader.class, () -> reader)
                .withBean("electionEventPublication", EventPublication.class, () -> publication)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).getBeanNames(LeaseStore.class).containsExactly("ownStore");
                    assertThat(context).getBeanNames(NodeInfo.class).containsExactly("ownNode");
                    assertThat(context).getBean(GuardReader.class).isSameAs(reader);
                    assertThat(context).getBean(EventPublication.class).isSameAs(publication);
                    assertThat(context.getBean(Elections.class).node()).isEqualTo("mine");
                });
    }

    @Test
    void the_processors_and_lifecycles_of_the_application_win() {
        ElectionContext.inMemory().withUserConfiguration(Own.class).run(context -> {
            assertThat(context).hasNotFailed();
            Map.of(
                            "electionLeaderGuardPostProcessor", LeaderGuardPostProcessor.class,
                            "electionLeaderGuardPrecedence", LeaderGuardPrecedence.class,
                            "electionLeaderBoundRegistry", LeaderBoundRegistry.class,
                            "electionsOfContext", ContextElections.class,
                            "electionLifecycle", ElectionLifecycle.class)
                    .forEach((name, type) -> {
                        assertThat(context).getBeanNames(type).containsExactly(name);
                        assertThat(context.getBeanFactory()
                                        .getBeanDefinition(name)
                                        .getResourceDescription())
                                .contains("$Own");
                    });
        });
    }

    @Test
    void the_lifecycle_processor_of_the_application_wins_if_no_bean_is_bound_to_leadership() {
        ElectionContext.inMemory()
                .withBean("lifecycleProcessor", DefaultLifecycleProcessor.class, DefaultLifecycleProcessor::new)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).doesNotHaveBean(LeaderBoundLifecycleProcessor.class);
                });
    }

    @Test
    void without_lettuce_there_are_no_elections_and_the_application_starts() {
        withoutElections(RedisClient.class);
    }

    @Test
    void without_spring_data_redis_there_are_no_elections_and_the_application_starts() {
        withoutElections(RedisConnectionFactory.class, RedisOperations.class);
    }

    @Test
    void without_reactor_plain_methods_are_guarded() {
        HandDrivenElections elections = new HandDrivenElections();
        ElectionContext.inMemory()
                .withClassLoader(new FilteredClassLoader(Flux.class))
                .withBean(Elections.class, () -> elections)
                .withUserConfiguration(Guarded.class)
                .run(context ->
                        assertThat(context.getBean(Guarded.class).work()).isNull());
    }

    @Test
    void the_redis_beans_of_the_application_are_left_alone() {
        ElectionContext.overRedis().run(context -> {
            assertThat(context)
                    .hasSingleBean(RedisConnectionFactory.class)
                    .hasSingleBean(StringRedisTemplate.class)
                    .hasBean("redisTemplate");
            LettuceConnectionFactory factory = context.getBean(LettuceConnectionFactory.class);
            assertThat(factory.getShareNativeConnection()).isTrue();
            assertThat(factory.getClientConfiguration().getCommandTimeout()).hasSeconds(60);
            assertThat(context.getBean("redisTemplate", RedisTemplate.class).getConnectionFactory())
                    .isSameAs(factory);
            assertThat(context.getBean(StringRedisTemplate.class).getConnectionFactory())
                    .isSameAs(factory);
        });
    }

    private static void level(@Nullable Level level) {
        ((Logger) LoggerFactory.getLogger(ElectionLifecycle.class)).setLevel(level);
    }

    private static void withoutElections(Class<?>... absent) {
        ElectionContext.overRedis()
                .withClassLoader(new FilteredClassLoader(absent))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context).doesNotHaveBean(Elections.class).doesNotHaveBean(ElectionLifecycle.class);
                });
    }

    static class Guarded {
        @LeaderOnly("reports")
        public String work() {
            return "done";
        }
    }

    static class ListenerBean implements LeadershipListener {}

    static class HearsOneEvent {
        @EventListener
        void on(LeadershipEvent.Lost event) {}
    }

    static class HearsAll {
        @EventListener(classes = LeadershipEvent.class)
        void on() {}
    }

    static class HearsPayload implements ApplicationListener<PayloadApplicationEvent<LeadershipEvent.Acquired>> {
        @Override
        public void onApplicationEvent(PayloadApplicationEvent<LeadershipEvent.Acquired> event) {}
    }

    static class HearsEverything implements ApplicationListener<ApplicationEvent> {
        @Override
        public void onApplicationEvent(ApplicationEvent event) {}

        @EventListener
        void on(Object event) {}

        @EventListener
        void on(PayloadApplicationEvent<String> event) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Own {

        @Bean
        static LeaderGuardPostProcessor electionLeaderGuardPostProcessor(ObjectProvider<GuardReader> reader) {
            return new LeaderGuardPostProcessor(reader::getObject, type -> false);
        }

        @Bean
        static LeaderGuardPrecedence electionLeaderGuardPrecedence() {
            return new LeaderGuardPrecedence();
        }

        @Bean
        LeaderBoundRegistry electionLeaderBoundRegistry(
                ApplicationContext context,
                ConfigurableListableBeanFactory beans,
                ObjectProvider<Elections> elections) {
            return new LeaderBoundRegistry(
                    new BootReadiness(context, Candidacy.AFTER_RUNNERS),
                    beans,
                    elections::getObject,
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    false);
        }

        @Bean
        ContextElections electionsOfContext(
                ApplicationContext context, Elections elections, ConfigurableListableBeanFactory beans) {
            return new ContextElections(
                    new BootReadiness(context, Candidacy.AFTER_RUNNERS), elections, beans, Set.of(), Set.of());
        }

        @Bean
        ElectionLifecycle electionLifecycle(ApplicationContext context, Elections elections) {
            return new ElectionLifecycle(
                    new BootReadiness(context, Candidacy.AFTER_RUNNERS), elections, Duration.ofSeconds(1));
        }
    }
}
