package dev.election.jdbc.autoconfigure;

import static dev.election.ElectionConfigurationException.valid;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.store.ConditionalOnStore;
import dev.election.jdbc.JdbcLeaseStore;
import dev.election.jdbc.JdbcSettings;
import dev.election.jdbc.JdbcTable;
import dev.election.store.LeaseStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ImportRuntimeHints;

/** The lease store in the application's database, with connections of its own. */
@AutoConfiguration(before = ElectionAutoConfiguration.class, after = DataSourceAutoConfiguration.class)
@ConditionalOnClass({JdbcLeaseStore.class, JdbcConnectionDetails.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnStore(ElectionJdbcAutoConfiguration.STORE)
@EnableConfigurationProperties({ElectionProperties.class, ElectionJdbcProperties.class})
@ImportRuntimeHints(ElectionJdbcRuntimeHints.class)
public final class ElectionJdbcAutoConfiguration {

    static final String STORE = "jdbc";

    @Bean(destroyMethod = "close")
    @Conditional(OneDatabase.class)
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class})
    JdbcLeaseStore electionLeaseStore(
            ConfigurableListableBeanFactory beans, ElectionProperties properties, ElectionJdbcProperties jdbc) {
        JdbcLeaseStore store = JdbcLeaseStore.open(
                new DatabaseOfApplication(beans, jdbc.dataSource()).database(),
                properties.shortestLease(),
                settings(jdbc));
        properties.requireLeasesFor(store.traits());
        return store;
    }

    private static JdbcSettings settings(ElectionJdbcProperties jdbc) {
        JdbcTable table = valid("election.jdbc.table", jdbc::qualifiedTable);
        return valid(
                "election.jdbc.poll-interval",
                () -> new JdbcSettings(
                        table,
                        jdbc.initializeSchema(),
                        jdbc.pollInterval(),
                        jdbc.listen(),
                        JdbcSettings.DEFAULT.history(),
                        new JdbcSettings.Names("election.jdbc.table", "election.jdbc.initialize-schema")));
    }

    /** Matches if a property names the DataSource, or if there is one database. */
    static final class OneDatabase extends AnyNestedCondition {

        OneDatabase() {
            super(ConfigurationPhase.REGISTER_BEAN);
        }

        @ConditionalOnProperty("election.jdbc.data-source")
        static final class Named {}

        @ConditionalOnBean(JdbcConnectionDetails.class)
        static final class Described {}

        @ConditionalOnSingleCandidate(DataSource.class)
        static final class Single {}
    }
}
