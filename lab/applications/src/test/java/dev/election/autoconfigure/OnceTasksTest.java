package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.LeaderWork;
import dev.election.RunOnce;
import dev.election.autoconfigure.internal.OnceTasks;
import dev.election.autoconfigure.internal.actuate.LeaderEndpoint;
import dev.election.jobs.OnceRunner;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.test.InMemoryRecordStore;
import dev.election.testing.Nodes;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import reactor.core.publisher.Mono;

/** Tasks of an application that run once for all of its processes. */
class OnceTasksTest {

    private static final List<String> trace = new CopyOnWriteArrayList<>();

    private static volatile InMemoryRecordStore records = InMemoryRecordStore.withClock(System::currentTimeMillis);

    @BeforeEach
    void begin() {
        records = InMemoryRecordStore.withClock(System::currentTimeMillis);
        trace.clear();
    }

    @AfterEach
    void thread_is_not_interrupted() {
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void tasks_run_in_the_order_of_their_ids_before_all_runners_and_before_this_node_takes_part() {
        try (ConfigurableApplicationContext context = start(Application.class)) {
            assertThat(trace).containsExactly("made", "first once.1-first true", "second", "runner");
            Nodes.await("a leader")
                    .until(() -> context.getBean(Elections.class).get("reports").isLeader());
            assertThat(context.getBean(Elections.class).all())
                    .extracting(election -> election.name())
                    .containsExactly("reports");
        }
        trace.clear();
        try (ConfigurableApplicationContext again = start(Application.class)) {
            assertThat(trace).as("of another process").containsExactly("runner");
            assertThat(again.getBean(LeaderEndpoint.class).elections().toString())
                    .doesNotContain("the task");
        }
    }

    @Test
    void an_application_without_tasks_has_nothing_of_them() {
        try (ConfigurableApplicationContext context = start(Plain.class)) {
            assertThat(context.getBeanProvider(OnceTasks.class)).isEmpty();
            assertThat(context.getBeanFactory().containsSingleton("electionOnceRunner"))
                    .isFalse();
            Nodes.await("a leader")
                    .until(() -> context.getBean(Elections.class).get("reports").isLeader());
        }
    }

    @Test
    void a_migration_of_a_bean_method_runs_when_its_bean_is_made() {
        String version = "build.schema=7";
        try (ConfigurableApplicationContext context = start(Migrating.class, version)) {
            assertThat(trace).containsExactly("bean true", "after bean", "runner");
            assertThat(context.getBeanProvider(OnceTasks.class)).isEmpty();
            assertThat(context.getBean(Migration.class).migrations).isEqualTo(1);
        }
        trace.clear();
        try (ConfigurableApplicationContext again = start(Migrating.class, version)) {
            assertThat(trace).as("of another process").containsExactly("after bean", "runner");
            assertThat(again.getBean(Migration.class).migrations).isZero();
        }
        trace.clear();
        try (ConfigurableApplicationContext disabled = start(Migrating.class, version, "election.enabled=false")) {
            assertThat(trace)
                    .as("of a process without elections")
                    .containsExactly("bean false", "after bean", "runner");
            assertThat(disabled.getBeanProvider(OnceRunner.class)).isEmpty();
        }
    }

    @Test
    void a_migration_that_fails_three_times_fails_the_start_with_its_cause() {
        assertThatThrownBy(
                        () -> start(FailingMigration.class, "election.lease=1s").close())
                .hasStackTraceContaining("The task 'columns' has failed three times")
                .hasRootCauseMessage("no such column");
        assertThat(trace).containsExactly("columns", "columns", "columns");
    }

    @Test
    void a_task_that_fails_three_times_fails_the_start_with_its_cause() {
        assertThatThrownBy(() -> start(Failing.class, "election.lease=1s").close())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("columns", "three times", "no such column")
                .hasRootCauseMessage("no such column");
        assertThat(trace).containsExactly("columns", "columns", "columns");
    }

    @Test
    void what_can_not_run_once_is_an_error() {
        assertInvalid(Publishing.class, "it must be public, return nothing");
        assertInvalid(Hidden.class, "it must be public, return nothing");
        assertInvalid(Asking.class, "it must be public, return nothing");
        assertInvalid(Misnamed.class, "is no id");
        assertInvalid(Doubled.class, "the id 'same' is that of");
        assertInvalid(MadeTwice.class, "the id 'same' is that of");
        assertInvalid(MadeAndRun.class, "the id 'same' is that of");
        assertInvalid(NoMigration.class, "java.lang.String is neither a FlywayMigrationStrategy nor");
        assertInvalid(MisnamedMigration.class, "is no id");
        assertInvalid(Migrating.class, "there is no value for the id 'schema-${build.schema}'");
        assertInvalid(MigrationWithoutStore.class, "no lease store", "election.store=none");
        assertInvalid(Failing.class, "before-runners", "election.startup.candidacy=before-runners");
        assertInvalid(WithoutStore.class, "no lease store", "election.store=none");
        assertInvalid(Failing.class, "election.run-once.wait", "election.run-once.wait=0s");
    }

    private static void assertInvalid(Class<?> application, String problem, String... properties) {
        assertThatThrownBy(() -> start(application, properties).close())
                .extracting(NestedExceptionUtils::getMostSpecificCause, as(THROWABLE))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining(problem);
        assertThat(trace).isEmpty();
    }

    @Test
    void the_end_of_a_context_stops_no_task_of_another_one_with_the_same_parent() {
        try (ConfigurableApplicationContext parent = start(Plain.class)) {
            for (String id : List.of("first", "second")) {
                new SpringApplicationBuilder(Child.class)
                        .parent(parent)
                        .web(WebApplicationType.NONE)
                        .properties("spring.main.banner-mode=off", "election.lease=5s", "id=" + id)
                        .run()
                        .close();
            }
        }
        assertThat(trace).containsExactly("child first", "child second");
    }

    private static ConfigurableApplicationContext start(Class<?> application, String... properties) {
        return new SpringApplicationBuilder(application)
                .web(WebApplicationType.NONE)
                .properties("spring.jmx.enabled=true", "management.endpoints.jmx.exposure.include=leader")
                .properties("spring.main.banner-mode=off", "election.lease=5s")
                .properties(properties)
                .run();
    }

    /** The store of all processes. */
    static class Stored {

        @Bean
        LeaseStore electionLeaseStore() {
            return new RecordLeaseStore(records, "", new LeaseRules(5));
        }

        @Bean
        Reports reports() {
            return new Reports();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Plain extends Stored {}

    /** In a context below that of the store. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Child {

        @Bean
        ChildTask task() {
            return new ChildTask();
        }
    }

    static class ChildTask {

        @Value("${id}")
        private String id = "";

        @RunOnce("child-${id}")
        public void run() {
            trace.add("child " + id);
        }
    }

    static class Reports {

        @LeaderOnly("reports")
        public void report() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application extends Stored {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE + 1)
        ApplicationRunner runner() {
            return arguments -> trace.add("runner");
        }

        /** As a migration does when its bean is made. */
        @Bean
        String migrated(OnceRunner once) {
            return String.valueOf(once.run("made", work -> trace.add("made")));
        }

        @Bean
        Tasks tasks(ApplicationContext context) {
            return new Tasks(context);
        }
    }

    static class Tasks {

        private final ApplicationContext context;

        Tasks(ApplicationContext context) {
            this.context = context;
        }

        @RunOnce("2-second")
        public void second() {
            trace.add("second");
        }

        @RunOnce("${no.such.property:1-first}")
        public void first(LeaderWork work) {
            ApplicationAvailability availability = context.getBean(ApplicationAvailability.class);
            assertThat(availability.getLivenessState()).isEqualTo(LivenessState.CORRECT);
            assertThat(availability.getReadinessState()).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
            assertThat(context.getBean(LeaderEndpoint.class).elections().toString())
                    .contains("the task '1-first', which this node runs");
            assertThat(context.getBean(Elections.class).get("reports").leader()).isEmpty();
            trace.add("first " + work.election().name() + " " + work.isCurrent());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Failing extends Stored {

        @RunOnce("columns")
        public void add() {
            trace.add("columns");
            throw new IllegalArgumentException("no such column");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Publishing extends Stored {

        @RunOnce("task")
        public Mono<Void> later() {
            return Mono.empty();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Hidden extends Stored {

        @RunOnce("task")
        void hidden() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Asking extends Stored {

        @RunOnce("task")
        public void run(String argument) {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Misnamed extends Stored {

        @RunOnce("no id")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Doubled extends Stored {

        @RunOnce("same")
        public void one() {}

        @RunOnce("same")
        public void other() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithoutStore {

        @RunOnce("task")
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Migrating extends Stored {

        @Bean
        @RunOnce("schema-${build.schema}")
        static Migration bean() {
            return new Migration("bean");
        }

        @Bean
        String afterMigration(Migration migration) {
            trace.add("after " + migration.name);
            return "";
        }

        @Bean
        ApplicationRunner runner() {
            return arguments -> trace.add("runner");
        }
    }

    /** Migrates as the bean of Liquibase does. */
    static class Migration implements InitializingBean {

        private final String name;
        int migrations;

        Migration(String name) {
            this.name = name;
        }

        @Override
        public void afterPropertiesSet() {
            migrations++;
            trace.add(name + " " + FencingToken.current().isPresent());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class FailingMigration extends Stored {

        @Bean
        @RunOnce("columns")
        InitializingBean columns() {
            return () -> {
                trace.add("columns");
                throw new IllegalArgumentException("no such column");
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class MadeTwice extends Stored {

        @Bean
        @DependsOn("other")
        @RunOnce("same")
        Migration one() {
            return new Migration("one");
        }

        @Bean
        @RunOnce("${no.such.property:same}")
        Migration other() {
            return new Migration("other");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class MadeAndRun extends Stored {

        @Bean
        @RunOnce("same")
        Migration made() {
            return new Migration("made");
        }

        @RunOnce("same")
        public void run() {
            trace.add("run");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class NoMigration extends Stored {

        @Bean
        @RunOnce("task")
        public String text() {
            return "";
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class MisnamedMigration extends Stored {

        @Bean
        @RunOnce("no id")
        Migration migration() {
            return new Migration("misnamed");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class MigrationWithoutStore {

        @Bean
        @RunOnce("task")
        Migration migration() {
            return new Migration("without store");
        }
    }
}
