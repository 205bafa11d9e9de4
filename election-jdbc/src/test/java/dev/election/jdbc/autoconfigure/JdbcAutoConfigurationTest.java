package dev.election.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.autoconfigure.DocumentedProperties;
import dev.election.autoconfigure.ElectionContext;
import dev.election.autoconfigure.checks.Finding;
import dev.election.autoconfigure.internal.checks.Doctor;
import dev.election.harness.Ports;
import dev.election.jdbc.JdbcLeaseStore;
import dev.election.redis.RedisLeaseStore;
import dev.election.store.BeatReply;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.LeaseStoreDecorator;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import dev.election.store.StoreRequest;
import dev.election.testing.LoggedLines;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/** Here both stores are on the class path. */
class JdbcAutoConfigurationTest {

    private final String url = "jdbc:h2:mem:" + UUID.randomUUID();

    private final ApplicationContextRunner unchosen = new ApplicationContextRunner()
            .withConfiguration(ElectionContext.everything())
            .withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
            .withPropertyValues("spring.datasource.url=" + url, "spring.data.redis.port=1");

    private final ApplicationContextRunner jdbc = unchosen.withPropertyValues("election.store=jdbc");

    private final ApplicationContextRunner withoutDatabase = new ApplicationContextRunner()
            .withConfiguration(ElectionContext.everything())
            .withPropertyValues("election.store=jdbc");

    @Test
    void every_property_is_documented_with_its_default_and_no_other() throws IOException {
        DocumentedProperties.areThoseOfTheMetadata(name -> name.startsWith("election.jdbc."));
    }

    @Test
    void an_application_with_a_database_elects_a_leader_in_it_and_keeps_its_pool_for_itself() {
        jdbc.withUserConfiguration(Guarded.class)
                .withPropertyValues("spring.datasource.hikari.maximum-pool-size=1")
                .run(context -> {
                    assertThat(context).hasSingleBean(JdbcLeaseStore.class).doesNotHaveBean(RedisLeaseStore.class);
                    try (var all = context.getBean(DataSource.class).getConnection()) {
                        assertThat(all.isValid(1)).isTrue();
                        assertThat(context.getBean(Elections.class)
                                        .get("reports")
                                        .awaitLeadership(Duration.ofSeconds(20)))
                                .isTrue();
                    }
                    assertThat(context.getBean(Guarded.class).work()).isEqualTo("done");
                    assertThat(context.getBean(LeaseStore.class).location())
                            .isEqualTo("H2 (" + url.substring("jdbc:".length()) + "), table election");
                });
    }

    @Test
    void redis_is_chosen_as_well() {
        unchosen.withPropertyValues("election.store=redis")
                .run(context ->
                        assertThat(context).hasSingleBean(RedisLeaseStore.class).doesNotHaveBean(JdbcLeaseStore.class));
    }

    @Test
    void two_stores_and_no_choice_fail_the_start_with_the_property() {
        unchosen.withUserConfiguration(Guarded.class).run(context -> assertThat(failure(context))
                .isInstanceOfSatisfying(ElectionConfigurationException.class, failure -> {
                    assertThat(failure).hasMessageContaining("several modules with a store of leases");
                    assertThat(failure.getAction()).startsWith("Set election.store to jdbc or redis.");
                }));
    }

    @Test
    void a_store_that_is_not_there_fails_the_start_with_those_that_are() {
        unchosen.withUserConfiguration(Guarded.class)
                .withPropertyValues("election.store=etcd")
                .run(context -> assertThat(failure(context))
                        .isInstanceOfSatisfying(ElectionConfigurationException.class, failure -> {
                            assertThat(failure).hasMessageContaining("'etcd'");
                            assertThat(failure.getAction()).startsWith("Set election.store to jdbc or redis");
                        }));
    }

    @Test
    void a_store_of_the_application_needs_no_choice_and_takes_precedence() {
        LeaseStore own = ElectionContext.store();
        unchosen.withBean(LeaseStore.class, () -> own).run(context -> {
            assertThat(context).hasSingleBean(ElectionEngine.class);
            assertThat(context.getBean(LeaseStore.class)).isSameAs(own);
        });
        jdbc.withBean(LeaseStore.class, () -> own)
                .run(context -> assertThat(context.getBean(LeaseStore.class)).isSameAs(own));
    }

    @Test
    void without_elections_there_is_no_store() {
        jdbc.withPropertyValues("election.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseStore.class));
    }

    @Test
    void without_the_jdbc_module_of_spring_boot_the_start_says_what_to_add() {
        withoutDatabase
                .withUserConfiguration(Guarded.class)
                .withClassLoader(new FilteredClassLoader(JdbcConnectionDetails.class))
                .run(context -> assertThat(failure(context)).isInstanceOf(ElectionConfigurationException.class));
        withoutDatabase
                .withClassLoader(new FilteredClassLoader(JdbcConnectionDetails.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaseStore.class));
    }

    @Test
    void without_a_database_the_start_says_what_to_set() {
        withoutDatabase.withUserConfiguration(Guarded.class).run(context -> assertThat(failure(context))
                .isInstanceOfSatisfying(ElectionConfigurationException.class, failure -> {
                    assertThat(failure).hasMessageContaining("there is no DataSource bean");
                    assertThat(failure.getAction()).startsWith("Set spring.datasource.url");
                }));
    }

    @Test
    void messages_name_the_data_source_that_is_used() {
        withoutDatabase.withUserConfiguration(TwoDatabases.class).run(context -> assertThat(
                        context.getBean(LeaseStore.class).location())
                .isEqualTo("the database (DataSource 'first'), table election"));
        jdbc.withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("election.jdbc.data-source=second")
                .run(context -> assertThat(context.getBean(LeaseStore.class).location())
                        .isEqualTo("the database (DataSource 'second'), table election"));
    }

    @Test
    void a_data_source_is_chosen_by_its_name() {
        jdbc.withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("election.jdbc.data-source=second", "election.jdbc.initialize-schema=always")
                .run(context -> {
                    assertThat(context.getBean(LeaseStore.class)
                                    .read("reports")
                                    .toCompletableFuture()
                                    .join())
                            .isInstanceOf(ReadReply.Read.class);
                    assertThat(hasTable(context.getBean("second", DataSource.class)))
                            .isTrue();
                    assertThat(hasTable(context.getBean("first", DataSource.class)))
                            .isFalse();
                });
    }

    @Test
    void a_pool_that_is_too_small_is_found() {
        jdbc.withUserConfiguration(TwoDatabases.class)
                .withPropertyValues("election.jdbc.data-source=second", "election.jdbc.listen=true")
                .withPropertyValues("election.jdbc.initialize-schema=always")
                .run(context -> {
                    context.getBean("second", HikariDataSource.class).setMaximumPoolSize(2);
                    assertThat(context.getBean(JdbcCheck.class)
                                    .look()
                                    .toCompletableFuture()
                                    .join())
                            .extracting(Finding::problem)
                            .anyMatch(problem -> problem.contains("a maximum of 2"));
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"without a table", "without a permission", "away"})
    void one_cause_is_one_warning(String cause) {
        List<BeatReply> beats = new CopyOnWriteArrayList<>();
        HikariDataSource database = database();
        if (cause.equals("without a permission")) {
            withoutPermission(database);
        } else if (cause.equals("away")) {
            database.setJdbcUrl("jdbc:h2:tcp://127.0.0.1:" + Ports.free() + "/mem:away");
            database.setInitializationFailTimeout(-1);
            database.setConnectionTimeout(250);
        }
        try (database;
                LoggedLines log = new LoggedLines("dev.election")) {
            jdbc.withBean(DataSource.class, () -> database)
                    .withBean(LeaseStoreDecorator.class, () -> store -> noting(store, beats))
                    .withUserConfiguration(Guarded.class)
                    .withPropertyValues("election.jdbc.initialize-schema=never", "election.members.enabled=true")
                    .withPropertyValues("election.lease=3s", "election.jdbc.data-source=dataSource")
                    .run(context -> {
                        context.publishEvent(new ApplicationReadyEvent(
                                new SpringApplication(), new String[0], context.getSourceApplicationContext(), null));
                        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                            assertThat(log.with("No usable reply")).hasSize(1);
                            assertThat(beats).hasSizeGreaterThan(4).hasOnlyElementsOfType(NoAnswer.class);
                        });
                        assertThat(log.with("set election.jdbc.initialize-schema=always"))
                                .hasSize(cause.equals("without a table") ? 1 : 0);
                        assertThat(context.getBean(Doctor.class).findings()).isEmpty();
                        assertThat(log.withLevels())
                                .filteredOn(line -> line.startsWith("WARN"))
                                .hasSize(1);
                    });
        }
    }

    /** A store that notes the replies to the beats of a member. */
    private static LeaseStore noting(LeaseStore store, List<BeatReply> beats) {
        return new ForwardingLeaseStore(store) {
            @Override
            public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
                List<CompletionStage<?>> replies = super.send(requests);
                for (CompletionStage<?> reply : replies) {
                    reply.thenAccept(given -> {
                        if (given instanceof BeatReply beat) {
                            beats.add(beat);
                        }
                    });
                }
                return replies;
            }
        };
    }

    private static void withoutPermission(HikariDataSource database) {
        try (Connection connection =
                        DriverManager.getConnection(database.getJdbcUrl() + ";DB_CLOSE_DELAY=-1", "sa", "");
                Statement statement = connection.createStatement()) {
            ScriptUtils.executeSqlScript(connection, new ClassPathResource("META-INF/election/jdbc/schema-h2.sql"));
            statement.execute("create user weak password 'weak'");
            statement.execute("grant select, update on election to weak");
            statement.execute("grant select, insert, update, delete on election_incarnation to weak");
        } catch (SQLException failure) {
            throw new AssertionError(failure);
        }
        database.setUsername("weak");
        database.setPassword("weak");
    }

    private static boolean hasTable(DataSource database) throws SQLException {
        try (var connection = database.getConnection();
                var table = connection.getMetaData().getTables(null, null, "ELECTION", null)) {
            return table.next();
        }
    }

    @Test
    void several_data_sources_and_no_choice_fail_the_start() {
        withoutDatabase
                .withUserConfiguration(Guarded.class, TwoEqualDatabases.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining("none of the DataSource beans [first, second] is the primary one"));
    }

    @ParameterizedTest
    @CsvSource({
        "election.jdbc.data-source=missing, election.jdbc.data-source",
        "election.jdbc.table=a table, election.jdbc.table",
        "election.jdbc.table=a;b.election, election.jdbc.table",
        "election.jdbc.poll-interval=1h, election.jdbc.poll-interval",
        "election.lease=2s, election.lease"
    })
    void an_invalid_value_fails_the_start_with_its_property(String setting, String property) {
        jdbc.withPropertyValues(setting)
                .run(context -> assertThat(failure(context)).hasMessageContaining(property));
    }

    private static Throwable failure(AssertableApplicationContext context) {
        Throwable failure = context.getStartupFailure();
        while (failure != null && !(failure instanceof ElectionConfigurationException)) {
            failure = failure.getCause();
        }
        return Objects.requireNonNull(failure, "the start has not failed because of the elections");
    }

    @Configuration(proxyBeanMethods = false)
    static class Guarded {

        @LeaderOnly("reports")
        public String work() {
            return "done";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoDatabases {

        @Bean
        @Primary
        HikariDataSource first() {
            return database();
        }

        @Bean
        HikariDataSource second() {
            return database();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoEqualDatabases {

        @Bean
        HikariDataSource first() {
            return database();
        }

        @Bean
        HikariDataSource second() {
            return database();
        }
    }

    private static HikariDataSource database() {
        HikariDataSource database = new HikariDataSource();
        database.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
        return database;
    }
}
