package dev.election.quartz.internal;

import com.zaxxer.hikari.HikariDataSource;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionJobsAutoConfiguration;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionParticipationAutoConfiguration;
import dev.election.quartz.autoconfigure.ElectionQuartzAutoConfiguration;
import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.QuartzAutoConfiguration;
import org.springframework.boot.quartz.autoconfigure.SchedulerFactoryBeanCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** An application whose jobs are in a database that several processes share. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    DataRedisAutoConfiguration.class,
    ElectionRedisAutoConfiguration.class,
    ElectionAutoConfiguration.class,
    ElectionParticipationAutoConfiguration.class,
    ElectionAopAutoConfiguration.class,
    ElectionJobsAutoConfiguration.class,
    ElectionQuartzAutoConfiguration.class,
    QuartzAutoConfiguration.class,
    LifecycleAutoConfiguration.class,
    PropertyPlaceholderAutoConfiguration.class
})
public class ClusteredApplication {

    public static final String DATABASE = "test.database";
    public static final String CHECK_IN = "test.check-in";

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(ClusteredApplication.class);
        application.setDefaultProperties(Map.ofEntries(
                Map.entry("election.lease", ScheduledApplication.LEASE.toMillis() + "ms"),
                Map.entry("spring.main.banner-mode", "off"),
                Map.entry("spring.main.keep-alive", "true"),
                Map.entry("spring.main.web-application-type", "none"),
                Map.entry("logging.level.dev.election", "debug"),
                Map.entry("spring.data.redis.host", "127.0.0.1"),
                Map.entry("spring.quartz.properties[org.quartz.scheduler.instanceId]", "AUTO"),
                Map.entry("spring.quartz.properties[org.quartz.threadPool.threadCount]", "4"),
                Map.entry("spring.quartz.properties[org.quartz.jobStore.isClustered]", "true"),
                Map.entry("spring.quartz.properties[org.quartz.jobStore.acquireTriggersWithinLock]", "true"),
                Map.entry(
                        "spring.quartz.properties[org.quartz.jobStore.clusterCheckinInterval]", "${" + CHECK_IN + "}"),
                Map.entry(
                        "spring.quartz.properties[org.quartz.jobStore.driverDelegateClass]",
                        "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate")));
        application.run(arguments);
    }

    @Bean
    DataSource dataSource(@Value("${" + DATABASE + "}") String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        return pool;
    }

    @Bean
    PlatformTransactionManager transactions(DataSource dataSource) {
        return new DataSourceTransactionManager(dataSource);
    }

    @Bean
    SchedulerFactoryBeanCustomizer inDatabase(DataSource dataSource, PlatformTransactionManager transactions) {
        return factory -> {
            factory.setDataSource(dataSource);
            factory.setTransactionManager(transactions);
        };
    }
}
