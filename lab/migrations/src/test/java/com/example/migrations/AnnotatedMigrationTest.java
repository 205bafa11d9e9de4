package com.example.migrations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ElectionConfigurationException;
import dev.election.NodeInfo;
import dev.election.RunOnce;
import dev.election.StoreProblem;
import dev.election.StoreView;
import dev.election.autoconfigure.ElectionRunOnceAutoConfiguration;
import dev.election.jobs.OnceRunner;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import dev.election.store.test.InMemoryLeaseStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import liquibase.integration.spring.MultiTenantSpringLiquibase;
import liquibase.integration.spring.SpringLiquibase;
import org.awaitility.Awaitility;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/** Migrations of bean methods that run once, over a database and a store in memory that all contexts of a test share. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnnotatedMigrationTest {

    /** Generous: others may use the machine as well. */
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final String HOST = NodeInfo.ofThisHost().address();

    private static final List<String> trace = new CopyOnWriteArrayList<>();

    private final JdbcDataSource database = new JdbcDataSource();
    private LeaseStore store = new InMemoryLeaseStore();

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ElectionRunOnceAutoConfiguration.class))
            .withBean(DataSource.class, () -> database)
            .withBean(LeaseStore.class, () -> store);

    AnnotatedMigrationTest() {
        database.setUrl("jdbc:h2:mem:" + System.identityHashCode(this) + ";DB_CLOSE_DELAY=-1");
        trace.clear();
    }

    @Test
    void the_strategy_of_flyway_migrates_in_one_process() {
        ApplicationContextRunner migrating = contexts.withConfiguration(
                        AutoConfigurations.of(FlywayAutoConfiguration.class))
                .withUserConfiguration(OverFlyway.class);
        migrating.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(trace).containsExactly("made", "migrates");
        });
        trace.clear();
        migrating.run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(trace).as("another process").containsExactly("made");
        });
        trace.clear();
        migrating.withPropertyValues("election.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(trace).as("a process without elections").containsExactly("made", "migrates");
        });
    }

    @Test
    void a_strategy_of_flyway_does_not_migrate_a_second_one() {
        contexts.withUserConfiguration(OverFlyway.class).run(context -> {
            FlywayMigrationStrategy strategy = context.getBean(FlywayMigrationStrategy.class);
            Flyway orders = Flyway.configure().dataSource(database).load();
            Flyway parcels = Flyway.configure().dataSource(database).load();
            strategy.migrate(orders);
            strategy.migrate(orders);
            assertThatThrownBy(() -> strategy.migrate(parcels))
                    .isInstanceOfSatisfying(ElectionConfigurationException.class, error -> assertThat(error.getAction())
                            .contains("Give each Flyway a strategy and an id of its own"))
                    .hasMessageContainingAll("@RunOnce", "migrateOnce()", "schema-1");
            assertThat(trace).containsExactly("made", "migrates");
        });
    }

    @Test
    void the_bean_of_liquibase_migrates_in_one_process_although_a_lock_stays_behind() throws SQLException {
        changeOnceAndForget();
        contexts.withUserConfiguration(OverLiquibase.class)
                .withPropertyValues("id=first")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(number("select count(*) from databasechangelog")).isZero();
        assertThat(trace).as("customizer").containsExactly("customized");

        runInVain("changes-next", HOST);
        contexts.withUserConfiguration(OverLiquibase.class)
                .withPropertyValues("id=next")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(number("select count(*) from databasechangelog")).isEqualTo(1);
                    assertThat(number("select count(*) from databasechangeloglock where locked"))
                            .isZero();
                });
        assertThat(trace).as("customizer").containsExactly("customized", "customized");
    }

    @Test
    void changes_wait_for_the_lock_of_a_process_that_did_not_run_the_task() throws Exception {
        changeOnceAndForget();
        lock(HOST, "now()");

        assertChangesWait();
    }

    @Test
    void changes_wait_for_the_lock_of_the_runner_of_another_task() throws Exception {
        changeOnceAndForget();
        runInVain("changes-other", HOST);

        assertChangesWait();
    }

    @Test
    void changes_wait_for_the_lock_of_another_host_that_got_it_while_a_runner_waited() throws Exception {
        changeOnceAndForget();
        runInVain("changes-next", "another-host");

        assertChangesWait();
    }

    @Test
    void changes_wait_for_the_lock_of_a_host_whose_name_is_a_part_of_that_of_a_runner() throws Exception {
        changeOnceAndForget();
        runInVain("changes-next", HOST.substring(0, HOST.length() - 1));

        assertChangesWait();
    }

    @Test
    void changes_wait_for_a_lock_that_the_host_of_a_runner_took_before_it_led() throws Exception {
        changeOnceAndForget();
        runInVain("changes-next", HOST);
        lock(HOST, "dateadd(minute, -1, now())");

        assertChangesWait();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lockedby", "lockgranted"})
    void changes_wait_for_a_lock_that_somebody_set_by_hand(String missing) throws Exception {
        changeOnceAndForget();
        runInVain("changes-next", HOST);
        execute("update databasechangeloglock set " + missing + " = null");

        assertChangesWait();
    }

    @Test
    void changes_wait_for_any_lock_if_the_store_keeps_no_history() throws Exception {
        changeOnceAndForget();
        runInVain("changes-next", HOST);
        store = new WithOtherViews(
                store,
                view -> new ReadReply.Read(
                        new StoreView(view.readAt(), view.leader(), view.leaseRemaining(), List.of())));

        assertChangesWait();
    }

    @Test
    void changes_wait_for_any_lock_if_the_history_can_not_be_read() throws Exception {
        changeOnceAndForget();
        runInVain("changes-next", HOST);
        store = new WithOtherViews(store, view -> new NoAnswer(StoreProblem.UNREACHABLE, "no connection"));

        assertChangesWait();
    }

    @Test
    void changes_that_are_switched_off_do_not_count_as_done() {
        contexts.withUserConfiguration(OverLiquibase.class)
                .withPropertyValues("id=first", "changes=false")
                .run(context -> assertThat(context).hasNotFailed());
        contexts.withUserConfiguration(OverLiquibase.class)
                .withPropertyValues("id=first")
                .withSystemProperties("liquibase.shouldRun=false")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(trace).isEmpty();

        contexts.withUserConfiguration(OverLiquibase.class)
                .withPropertyValues("id=first")
                .run(context -> assertThat(number("select count(*) from databasechangelog"))
                        .isEqualTo(1));
    }

    @Test
    void changes_of_tenants_are_an_error() {
        contexts.withUserConfiguration(OverTenants.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContainingAll("tenants()", "MultiTenantSpringLiquibase"));
    }

    @Test
    void a_native_image_can_read_whether_changes_are_switched_off() {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("com.example.migrations", "Prepared")),
                new InMemoryGeneratedFiles());
        try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
            context.register(OverLiquibase.class);
            new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        assertThat(generation.getRuntimeHints())
                .matches(RuntimeHintsPredicates.reflection().onFieldAccess(SpringLiquibase.class, "shouldRun"));
    }

    /** Makes the tables of Liquibase, and undoes the changes. */
    private void changeOnceAndForget() throws SQLException {
        contexts.withUserConfiguration(OverLiquibase.class)
                .withPropertyValues("id=first")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(number("select count(*) from databasechangelog")).isEqualTo(1);
        execute("delete from databasechangelog");
        execute("drop table parcels");
    }

    /** Runs a task that ends in the middle, while that host has the lock. */
    private void runInVain(String id, String host) {
        assertThatThrownBy(() -> OnceRunner.over(store).run(id, work -> {
                    lock(host, "now()");
                    throw new InterruptedException();
                }))
                .isInstanceOf(CancellationException.class);
        assertThat(Thread.interrupted()).isTrue();
    }

    private void lock(String host, String time) throws SQLException {
        execute("update databasechangeloglock set locked = true, lockedby = '" + host + " (10.0.0.1)', lockgranted = "
                + time);
    }

    /** Asserts that the changes do not run until the lock is released by hand. */
    private void assertChangesWait() throws Exception {
        FutureTask<Void> start = new FutureTask<>(
                () -> contexts.withUserConfiguration(OverLiquibase.class)
                        .withPropertyValues("id=next")
                        .withSystemProperties("liquibase.changelogLockPollRate=1")
                        .run(context -> assertThat(context).hasNotFailed()),
                null);
        Thread starting = new Thread(start, "starting");
        starting.start();
        Awaitility.await("Liquibase waits")
                .atMost(SOON)
                .failFast("it does not wait", start::isDone)
                .until(() -> Arrays.stream(starting.getStackTrace())
                        .map(StackTraceElement::getMethodName)
                        .toList()
                        .containsAll(List.of("sleep", "waitForLock")));
        assertThat(number("select count(*) from databasechangelog")).isZero();
        assertThat(number("select count(*) from databasechangeloglock where locked"))
                .isEqualTo(1);

        execute("update databasechangeloglock set locked = false");
        start.get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(number("select count(*) from databasechangelog")).isEqualTo(1);
    }

    private void execute(String statement) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private int number(String query) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement sql = connection.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    /** A store whose views pass through a function. */
    private static final class WithOtherViews extends ForwardingLeaseStore {

        private final Function<StoreView, ReadReply> change;

        WithOtherViews(LeaseStore store, Function<StoreView, ReadReply> change) {
            super(store);
            this.change = change;
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            return super.read(election).thenApply(reply -> change.apply(((ReadReply.Read) reply).view()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OverFlyway {

        @Bean
        @RunOnce("schema-1")
        FlywayMigrationStrategy migrateOnce() {
            return new Migration();
        }
    }

    /** With an initialization of its own, which is not the migration. */
    private static final class Migration implements FlywayMigrationStrategy, InitializingBean {

        @Override
        public void afterPropertiesSet() {
            trace.add("made");
        }

        @Override
        public void migrate(Flyway flyway) {
            trace.add("migrates");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OverLiquibase {

        @Bean
        @RunOnce("changes-${id}")
        SpringLiquibase changeOnce(DataSource dataSource, @Value("${changes:true}") boolean shouldRun) {
            SpringLiquibase changes = new SpringLiquibase();
            changes.setDataSource(dataSource);
            changes.setChangeLog("classpath:db/changelog/parcels.sql");
            changes.setShouldRun(shouldRun);
            changes.setCustomizer(liquibase -> trace.add("customized"));
            return changes;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OverTenants {

        @Bean
        @RunOnce("tenants")
        MultiTenantSpringLiquibase tenants() {
            return new MultiTenantSpringLiquibase();
        }
    }
}
