package dev.election.fencing.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.election.fencing.Fenced;
import dev.election.fencing.StaleLeaderException;
import dev.election.fencing.internal.table.FenceSchema;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.PersistenceContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

/** The ways to a database: JPA, jOOQ, and which connections and statements a fence uses. */
class FencedAccessTest {

    @AutoClose
    private final FencingDatabase database = FencingDatabase.h2();

    @BeforeEach
    void create() {
        Accounts.createTables(database);
    }

    @Test
    void what_jpa_writes_at_the_commit_is_fenced() throws Exception {
        try (FencingNode node = new FencingNode(database.pool(), Jpa.class, Entries.class)) {
            Entries entries = node.bean(Entries.class);
            node.lead(5).work(() -> entries.write(1, () -> {}));
            assertThat(count("marker")).isEqualTo(1);
            assertThatThrownBy(() -> node.work(() -> entries.write(2, this::newerLeader)))
                    .isInstanceOf(StaleLeaderException.class);
            assertThat(count("marker")).isEqualTo(1);
        }
    }

    @Test
    void what_jooq_writes_is_fenced() throws Exception {
        try (FencingNode node = new FencingNode(database.pool(), Jooq.class, Rows.class)) {
            Rows rows = node.bean(Rows.class);
            node.lead(5).work(() -> rows.write(1, () -> {}));
            assertThat(count("marker")).isEqualTo(1);
            assertThatThrownBy(() -> node.work(() -> rows.write(2, this::newerLeader)))
                    .isInstanceOf(StaleLeaderException.class);
            assertThat(count("marker")).isEqualTo(1);
        }
    }

    @Test
    void a_fence_costs_one_statement_for_each_transaction_once_the_token_is_raised() throws Exception {
        List<String> statements = new CopyOnWriteArrayList<>();
        try (FencingNode node = new FencingNode(recording(statements), Accounts.class)) {
            Accounts accounts = node.bean(Accounts.class);
            node.lead(5).work(() -> accounts.add(1, () -> {}));
            statements.clear();
            node.work(() -> accounts.add(1, () -> {}));
            node.work(() -> accounts.add(1, () -> {}));
            assertThat(statements)
                    .filteredOn(sql -> sql.contains("election_fence"))
                    .hasSize(2)
                    .allMatch(sql -> sql.startsWith("select"));
            assertThat(statements).filteredOn("connection"::equals).hasSize(2);
        }
    }

    @Test
    void the_check_is_the_last_statement_before_the_commit() throws Exception {
        List<String> statements = new CopyOnWriteArrayList<>();
        try (FencingNode node = new FencingNode(recording(statements), Accounts.class)) {
            Accounts accounts = node.bean(Accounts.class);
            node.lead(5).work(accounts::writeInCallbackOfCommit);
            assertThat(statements.subList(statements.size() - 2, statements.size()))
                    .satisfiesExactly(sql -> assertThat(sql).startsWith("insert into journal"), sql -> assertThat(sql)
                            .startsWith("select election, token from election_fence"));
        }
    }

    @Test
    void a_raise_is_done_before_the_transaction_takes_a_connection_of_the_pool() throws Exception {
        try (HikariDataSource single = new HikariDataSource()) {
            single.setJdbcUrl(database.pool().getJdbcUrl());
            single.setUsername("sa");
            single.setPassword("");
            single.setMaximumPoolSize(1);
            single.setConnectionTimeout(2_000);
            try (FencingNode node = new FencingNode(single, Accounts.class)) {
                node.lead(5).work(() -> node.bean(Accounts.class).add(1, () -> {}));
                node.lead(6).work(() -> node.bean(Accounts.class).add(1, () -> {}));
            }
        }
    }

    /** Of a pool that resets nothing itself. */
    @Test
    void connections_that_do_not_commit_by_themselves_stay_so() throws Exception {
        SingleConnectionDataSource manual =
                new SingleConnectionDataSource(database.pool().getJdbcUrl(), "sa", "", true);
        manual.setAutoCommit(false);
        try {
            new FenceSchema(any -> true).create(database.pool());
            try (FencingNode node = new FencingNode(
                    manual, Map.of("election.fencing.jdbc.initialize-schema", "never"), Accounts.class)) {
                node.lead(5).work(() -> node.bean(Accounts.class).add(1, () -> {}));
                assertThat(manual.getConnection().getAutoCommit()).isFalse();
            }
            assertThat(database.jdbc().queryForObject("select balance from account", Integer.class))
                    .isEqualTo(1);
        } finally {
            manual.destroy();
        }
    }

    private void newerLeader() {
        database.jdbc().update("update election_fence set token = token + 1");
    }

    private int count(String table) {
        return database.jdbc().queryForObject("select count(*) from " + table, Integer.class);
    }

    /** Notes each statement that is prepared, and "connection" for each connection that is taken. */
    private DataSource recording(List<String> statements) {
        return new DelegatingDataSource(database.pool()) {
            @Override
            public Connection getConnection() throws java.sql.SQLException {
                Connection connection = super.getConnection();
                statements.add("connection");
                return (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                            if (method.getName().equals("prepareStatement")) {
                                statements.add((String) arguments[0]);
                            }
                            try {
                                return method.invoke(connection, arguments);
                            } catch (InvocationTargetException failure) {
                                throw failure.getCause();
                            }
                        });
            }
        };
    }

    @Configuration(proxyBeanMethods = false)
    static class Jpa {

        @Bean
        LocalContainerEntityManagerFactoryBean entities(DataSource database) {
            LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
            factory.setDataSource(database);
            factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
            factory.setManagedTypes(
                    org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes.of(Marker.class.getName()));
            return factory;
        }

        @Bean
        PlatformTransactionManager transactionManager(EntityManagerFactory entities) {
            return new JpaTransactionManager(entities);
        }
    }

    @Entity(name = "marker")
    static class Marker {

        @Id
        private int id;

        Marker() {}

        Marker(int id) {
            this.id = id;
        }

        int id() {
            return id;
        }
    }

    static class Entries {

        @PersistenceContext
        private EntityManager entities;

        @Transactional
        @Fenced(resource = "markers")
        public void write(int id, Runnable between) {
            entities.persist(new Marker(id));
            between.run();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Jooq {

        @Bean
        DSLContext dsl(DataSource database) {
            return DSL.using(new TransactionAwareDataSourceProxy(database), SQLDialect.H2);
        }
    }

    static class Rows {

        private final DSLContext dsl;

        Rows(DSLContext dsl) {
            this.dsl = dsl;
        }

        @Transactional
        @Fenced(resource = "markers")
        public void write(int id, Runnable between) {
            dsl.execute("insert into marker values (?)", id);
            between.run();
        }
    }
}
