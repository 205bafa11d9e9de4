package dev.election.fencing.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.store.MissingStore;
import dev.election.autoconfigure.store.RequiredElections;
import dev.election.fencing.JdbcTokenGate;
import dev.election.fencing.MemoryTokenGate;
import dev.election.fencing.TokenGate;
import dev.election.fencing.autoconfigure.ElectionFencingAutoConfiguration.FencedTable;
import dev.election.fencing.autoconfigure.ElectionFencingProperties.Gate;
import dev.election.fencing.autoconfigure.ElectionFencingProperties.SchemaInitialization;
import dev.election.fencing.http.ReceivedToken;
import dev.election.fencing.internal.bean.FencePostProcessor;
import dev.election.fencing.internal.bean.RefusedFences;
import dev.election.fencing.internal.table.FenceSchema;
import dev.election.fencing.internal.transaction.FencedTransactions;
import dev.election.fencing.internal.transaction.TokenSource;
import dev.election.fencing.redis.FencedRedis;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.boot.sql.init.dependency.DatabaseInitializationDependencyConfigurer;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.interceptor.TransactionInterceptor;
import org.springframework.util.function.SingletonSupplier;

/**
 * Fences the transactions of methods with {@code @Fenced}, of which each context has those of its own; and wires the gate of tokens, fenced
 * writes to Redis, and the tokens between services.
 */
@AutoConfiguration(
        after = ElectionAopAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@EnableConfigurationProperties({ElectionProperties.class, ElectionFencingProperties.class})
@Import({
    FencingHttpConfigurations.Sending.class,
    FencingHttpConfigurations.ReactiveSending.class,
    FencingHttpConfigurations.Receiving.class,
    FencingHttpConfigurations.Unchecked.class
})
public final class ElectionFencingAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(ElectionFencingAutoConfiguration.class);

    /** Where elections and transactions are. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
    @ConditionalOnBooleanProperty(name = "election.fencing.enabled", matchIfMissing = true)
    @ConditionalOnClass({
        TransactionInterceptor.class,
        ConnectionHolder.class,
        EmbeddedDatabaseConnection.class,
        DependsOnDatabaseInitialization.class
    })
    static final class Fencing {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        @ConditionalOnMissingBean(name = "electionFencePostProcessor", search = SearchStrategy.CURRENT)
        static FencePostProcessor electionFencePostProcessor(
                ConfigurableListableBeanFactory beans, ObjectProvider<FencedTransactions> transactions) {
            return new FencePostProcessor(
                    beans, name -> String.valueOf(beans.resolveEmbeddedValue(name)), transactions::getObject);
        }

        /** The token of leader work, or else that of a request that was admitted. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        @ConditionalOnMissingBean(name = "electionTokenSource")
        static TokenSource electionTokenSource(
                ObjectProvider<Elections> elections, ConfigurableListableBeanFactory beans) {
            TokenSource work = TokenSource.ofCurrentWork(SingletonSupplier.of(
                    RequiredElections.of(elections, "The application has @Fenced methods", beans)));
            TokenSource request = (resource, election) -> ReceivedToken.current()
                    .filter(received -> received.resource().equals(resource))
                    .map(received -> new TokenSource.Held(received.token(), () -> true));
            return TokenSource.firstOf(() -> List.of(work, request));
        }

        /** Transactions that look for their database, and create its table, at the first fenced call or when the context has been created. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        @ConditionalOnMissingBean(name = "electionFencedTransactions", search = SearchStrategy.CURRENT)
        static FencedTransactions electionFencedTransactions(
                ObjectProvider<TokenSource> tokens,
                ObjectProvider<FencedTable> table,
                ElectionFencingProperties properties) {
            return new FencedTransactions(
                    TokenSource.firstOf(
                            SingletonSupplier.of(() -> tokens.orderedStream().toList())),
                    () -> table.getObject().database(),
                    properties.jdbc().lockTimeout());
        }

        /** Fenced beans are created at the start also in a lazy application, to report invalid fences. */
        @Bean
        static LazyInitializationExcludeFilter electionFencedBeansAreMadeAtTheStart() {
            return (name, definition, type) -> type != null && FencePostProcessor.isFenced(type);
        }

        /** Fails at startup, and not at the first call, if something is missing that fenced methods need. */
        @Bean
        @Lazy(false)
        static SmartInitializingSingleton electionFencingCheck(
                FencePostProcessor fences,
                ObjectProvider<Elections> elections,
                ObjectProvider<FencedTable> table,
                ConfigurableListableBeanFactory beans) {
            return () -> {
                if (fences.elections().isEmpty()) {
                    return;
                }
                if (elections.getIfAvailable() == null) {
                    throw MissingStore.failure(
                            "The application has @Fenced methods for the elections " + fences.elections(), beans);
                }
                table.getObject();
            };
        }
    }

    /** The table is needed by receivers of tokens too, which need not take part in elections. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({
        TransactionInterceptor.class,
        ConnectionHolder.class,
        EmbeddedDatabaseConnection.class,
        DependsOnDatabaseInitialization.class
    })
    @Import(DatabaseInitializationDependencyConfigurer.class)
    @ImportRuntimeHints(FencingRuntimeHints.class)
    static final class Table {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        @ConditionalOnMissingBean(name = "electionFenceSchema", search = SearchStrategy.CURRENT)
        static FenceSchema electionFenceSchema(ElectionFencingProperties properties) {
            SchemaInitialization when = properties.jdbc().initializeSchema();
            return new FenceSchema(database -> when == SchemaInitialization.ALWAYS
                    || (when == SchemaInitialization.EMBEDDED && EmbeddedDatabaseConnection.isEmbedded(database)));
        }

        @Bean
        @Lazy
        @DependsOnDatabaseInitialization
        static FencedTable electionFencedTable(
                ConfigurableListableBeanFactory beans,
                ObjectProvider<DataSource> databases,
                FenceSchema schema,
                ElectionFencingProperties properties) {
            DataSource database =
                    new FencedDatabase(beans, databases, properties.jdbc().dataSource()).get();
            schema.create(database);
            return new FencedTable(database);
        }
    }

    /**
     * The database in which the table is.
     *
     * @param database with the table
     */
    record FencedTable(DataSource database) {}

    /** An application that runs leader work everywhere has no tokens. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnBooleanProperty(name = "election.enabled", havingValue = false)
    @ConditionalOnBooleanProperty(name = "election.fencing.enabled", matchIfMissing = true)
    static RefusedFences electionFencesWithoutElections() {
        return new RefusedFences(
                "election.enabled is false, so there are no leaders and no fencing tokens to check",
                "Set election.fencing.enabled=false too, to let fenced methods commit unchecked on every replica, or remove"
                        + " election.enabled=false.");
    }

    /** Fences can't be had without the libraries. */
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
    @ConditionalOnBooleanProperty(name = "election.fencing.enabled", matchIfMissing = true)
    @ConditionalOnMissingClass("org.springframework.boot.jdbc.EmbeddedDatabaseConnection")
    static RefusedFences electionFencesWithoutJdbc() {
        return new RefusedFences(
                "the module spring-boot-jdbc of Spring Boot is not on the class path, so there is no transaction that could be"
                        + " checked",
                "Add org.springframework.boot:spring-boot-starter-jdbc.");
    }

    @Bean
    @Lazy(false)
    @ConditionalOnBooleanProperty(name = "election.fencing.enabled", havingValue = false)
    static InitializingBean electionFencingSwitchedOffWarning() {
        return () -> log.warn(
                "election.fencing.enabled is false: transactions of methods with @Fenced commit without a check of the fencing"
                        + " token");
    }

    /** Lazy: most applications receive no tokens. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    TokenGate electionTokenGate(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<FencedTable> table,
            ObjectProvider<FencedRedis> redis,
            ElectionFencingProperties properties,
            ElectionProperties elections) {
        Gate gate = properties.gate();
        Duration ahead = elections.tokensAhead();
        if ((gate == Gate.AUTO || gate == Gate.JDBC) && has(beans, DataSource.class) && has(beans, FencedTable.class)) {
            return new JdbcTokenGate(
                    () -> table.getObject().database(), properties.jdbc().lockTimeout(), ahead, InstantSource.system());
        }
        if ((gate == Gate.AUTO || gate == Gate.REDIS) && has(beans, FencedRedis.class)) {
            return redis.getObject().tokenGate(ahead);
        }
        if (gate == Gate.MEMORY) {
            return new MemoryTokenGate(ahead, InstantSource.system());
        }
        throw ElectionConfigurationException.ofProperty(
                "election.fencing.gate",
                switch (gate) {
                    case JDBC -> "The newest tokens can't be kept in the database: there is no DataSource bean";
                    case REDIS -> "The newest tokens can't be kept in Redis: there is no StringRedisTemplate bean";
                    default ->
                        "There is no DataSource and no StringRedisTemplate bean in which the newest tokens could be kept";
                });
    }

    private static boolean has(ListableBeanFactory beans, Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type).length > 0;
    }

    /** In Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    @ConditionalOnBean(StringRedisTemplate.class)
    static final class Redis {

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        FencedRedis electionFencedRedis(StringRedisTemplate redis, Environment environment) {
            // The prefix of the leases, also where another module than that of Redis keeps them.
            String prefix = Binder.get(environment)
                    .bind("election.redis.key-prefix", String.class)
                    .orElse("election");
            return new FencedRedis(redis, prefix);
        }
    }
}
