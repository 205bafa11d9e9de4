package dev.election.fencing.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionContext;
import dev.election.fencing.Fenced;
import dev.election.fencing.internal.bean.FencePostProcessor;
import dev.election.fencing.internal.transaction.FencedTransactions;
import dev.election.fencing.internal.transaction.TokenSource;
import dev.election.testing.HandDrivenElections;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** When transactions are fenced, in which database, and who creates its table. */
@ExtendWith(OutputCaptureExtension.class)
class FencingAutoConfigurationTest {

    private static final AutoConfigurations TRANSACTIONS = AutoConfigurations.of(
            DataSourceTransactionManagerAutoConfiguration.class, TransactionAutoConfiguration.class);

    private final ApplicationContextRunner bare = ElectionContext.inMemory().withConfiguration(TRANSACTIONS);

    private final ApplicationContextRunner runner =
            bare.withBean(Elections.class, HandDrivenElections::new).withBean("database", DataSource.class, this::h2);

    @Test
    void the_table_is_created_in_an_embedded_database_of_an_application_with_fenced_methods() {
        runner.withBean(Writer.class).run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(FencePostProcessor.class);
            assertThat(hasTable(context.getBean(DataSource.class))).isTrue();
        });
        runner.run(context -> assertThat(hasTable(context.getBean(DataSource.class)))
                .as("without fenced methods")
                .isFalse());
    }

    @Test
    void the_table_is_created_as_the_property_says() {
        runner.withBean(Writer.class)
                .withPropertyValues("election.fencing.jdbc.initialize-schema=never")
                .run(context ->
                        assertThat(hasTable(context.getBean(DataSource.class))).isFalse());
        ApplicationContextRunner remote = bare.withBean(Elections.class, HandDrivenElections::new)
                .withBean("database", DataSource.class, () -> new NotEmbedded(h2()))
                .withBean(Writer.class);
        remote.run(context ->
                assertThat(hasTable(context.getBean(DataSource.class))).isFalse());
        remote.withPropertyValues("election.fencing.jdbc.initialize-schema=always")
                .run(context ->
                        assertThat(hasTable(context.getBean(DataSource.class))).isTrue());
    }

    @Test
    void one_of_several_databases_is_chosen_by_its_name() {
        ApplicationContextRunner two = runner.withBean("second", DataSource.class, this::h2)
                .withBean(
                        "transactionManager", PlatformTransactionManager.class, () -> new JdbcTransactionManager(h2()))
                .withBean(Writer.class);
        two.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .hasMessageContaining("several DataSource beans")
                .hasMessageContaining("[database, second]")
                .isInstanceOfSatisfying(
                        ElectionConfigurationException.class, undecided -> assertThat(undecided.getAction())
                                .startsWith("Name the one with the fenced transactions in"
                                        + " election.fencing.jdbc.data-source")));
        two.withPropertyValues("election.fencing.jdbc.data-source=second").run(context -> {
            assertThat(hasTable(context.getBean("second", DataSource.class))).isTrue();
            assertThat(hasTable(context.getBean("database", DataSource.class))).isFalse();
        });
        two.withPropertyValues("election.fencing.jdbc.data-source=third").run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("There is no DataSource bean 'third'; there are [database, second]"));
    }

    @Test
    void fenced_methods_without_a_database_or_without_elections_fail_the_start() {
        bare.withBean(Elections.class, HandDrivenElections::new)
                .withBean(
                        "transactionManager", PlatformTransactionManager.class, () -> new JdbcTransactionManager(h2()))
                .withBean(Writer.class)
                .run(context ->
                        assertThat(context).getFailure().rootCause().hasMessageContaining("but no DataSource bean"));
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(ElectionAopAutoConfiguration.class))
                .withConfiguration(AutoConfigurations.of(ElectionFencingAutoConfiguration.class))
                .withConfiguration(TRANSACTIONS)
                .withBean("database", DataSource.class, this::h2)
                .withBean(Writer.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("The application has @Fenced methods for the elections [default]"));
    }

    @Test
    void where_elections_are_switched_off_fences_have_to_be_too(CapturedOutput output) {
        ApplicationContextRunner off = runner.withBean(Writer.class).withPropertyValues("election.enabled=false");
        off.run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOfSatisfying(ElectionConfigurationException.class, refused -> assertThat(refused.getAction())
                        .contains("election.fencing.enabled=false"))
                .hasMessageContaining("election.enabled is false"));
        off.withPropertyValues("election.fencing.enabled=false").run(context -> {
            context.getBean(Writer.class).write();
            assertThat(output).contains("election.fencing.enabled is false");
        });
        runner.withPropertyValues("election.enabled=false")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void without_the_libraries_of_databases_fenced_methods_fail_the_start() {
        ApplicationContextRunner without = ElectionContext.inMemory()
                .withBean(Elections.class, HandDrivenElections::new)
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.jdbc", "org.springframework.jdbc"));
        without.run(context -> assertThat(context).hasNotFailed());
        without.withBean(Writer.class).run(context -> assertThat(context)
                .getFailure()
                .rootCause()
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("spring-boot-jdbc of Spring Boot is not on the class path"));
    }

    @Test
    void sources_of_tokens_of_the_application_are_asked_first_and_its_fenced_transactions_win() {
        TokenSource own = (resource, election) -> Optional.empty();
        runner.withBean("own", TokenSource.class, () -> own)
                .run(context -> assertThat(context.getBeanProvider(TokenSource.class)
                                .orderedStream()
                                .toList())
                        .hasSize(2)
                        .first()
                        .isSameAs(own));
        FencedTransactions transactions = new FencedTransactions(own, this::h2, Duration.ofSeconds(1));
        runner.withBean("electionFencedTransactions", FencedTransactions.class, () -> transactions)
                .run(context ->
                        assertThat(context.getBean(FencedTransactions.class)).isSameAs(transactions));
    }

    @Test
    void a_lock_timeout_of_less_than_a_second_is_refused() {
        runner.withPropertyValues("election.fencing.jdbc.lock-timeout=900ms")
                .withBean(Writer.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .isInstanceOf(ElectionConfigurationException.class)
                        .hasMessageContaining("at least 1 s"));
    }

    @Test
    void in_a_lazy_application_fenced_beans_are_created_at_the_start() {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Writer.class)
                .run(context -> assertThat(context.getBeanFactory()
                                .containsSingleton(context.getBeanNamesForType(Writer.class)[0]))
                        .isTrue());
    }

    @Test
    void the_scripts_go_into_a_native_image() {
        RuntimeHints hints = new RuntimeHints();
        new FencingRuntimeHints().registerHints(hints, getClass().getClassLoader());
        for (String platform : new String[] {"h2", "postgresql", "mysql", "mariadb"}) {
            String script = "META-INF/election/fencing/schema-" + platform + ".sql";
            assertThat(getClass().getClassLoader().getResource(script)).isNotNull();
            assertThat(hints).matches(RuntimeHintsPredicates.resource().forResource(script));
        }
    }

    private DataSource h2() {
        return JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
    }

    private static boolean hasTable(DataSource database) {
        return new JdbcTemplate(database)
                        .queryForObject(
                                "select count(*) from information_schema.tables where upper(table_name) = 'ELECTION_FENCE'",
                                Integer.class)
                > 0;
    }

    /** Says that it is on a server. */
    static final class NotEmbedded extends DelegatingDataSource {

        NotEmbedded(DataSource target) {
            super(target);
        }

        @Override
        public Connection getConnection() throws SQLException {
            Connection connection = super.getConnection();
            DatabaseMetaData real = connection.getMetaData();
            DatabaseMetaData metaData = Mockito.mock(
                    DatabaseMetaData.class,
                    call -> call.getMethod().getName().equals("getURL")
                            ? "jdbc:h2:tcp://server/fence"
                            : call.getMethod().invoke(real, call.getArguments()));
            Connection spied = Mockito.mock(
                    Connection.class,
                    call -> call.getMethod().getName().equals("getMetaData")
                            ? metaData
                            : call.getMethod().invoke(connection, call.getArguments()));
            return spied;
        }
    }

    static class Writer {

        @Transactional
        @Fenced(resource = "r")
        public void write() {}
    }
}
