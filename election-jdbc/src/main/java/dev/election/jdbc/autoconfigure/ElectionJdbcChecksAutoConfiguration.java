package dev.election.jdbc.autoconfigure;

import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.ElectionWatchAutoConfiguration;
import dev.election.jdbc.JdbcLeaseStore;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;

/** The checks of the database after the start. */
@AutoConfiguration(after = ElectionWatchAutoConfiguration.class)
@ConditionalOnClass({JdbcLeaseStore.class, JdbcConnectionDetails.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(value = JdbcLeaseStore.class, name = "electionDoctor")
public final class ElectionJdbcChecksAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "electionJdbcCheck")
    JdbcCheck electionJdbcCheck(
            JdbcLeaseStore store,
            ElectionProperties properties,
            ElectionJdbcProperties jdbc,
            ConfigurableListableBeanFactory beans) {
        DatabaseOfApplication database = new DatabaseOfApplication(beans, jdbc.dataSource());
        return new JdbcCheck(
                store::checkUp,
                properties.shortestLease(),
                jdbc.namesSchema(),
                database.isShared(),
                Boolean.TRUE.equals(jdbc.listen()),
                database::poolMaximum);
    }
}
