package dev.election.quartz;

import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.transaction.PlatformTransactionManager;

/** A job store in a database that several schedulers share. */
public final class ClusteredStore implements AutoCloseable {

    private final JdbcConnectionPool database =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

    public ClusteredStore() {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("org/quartz/impl/jdbcjobstore/tables_h2.sql")),
                database);
    }

    /** Of its database. */
    public PlatformTransactionManager transactions() {
        return new DataSourceTransactionManager(database);
    }

    /** A scheduler over it. */
    public SchedulerFactoryBean scheduler() {
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "org.quartz.scheduler.instanceId", "AUTO",
                "org.quartz.threadPool.threadCount", "3",
                "org.quartz.jobStore.isClustered", "true",
                "org.quartz.jobStore.clusterCheckinInterval", "500",
                "org.quartz.jobStore.acquireTriggersWithinLock", "true"));
        SchedulerFactoryBean factory = new SchedulerFactoryBean();
        factory.setSchedulerName("clustered");
        factory.setDataSource(database);
        factory.setQuartzProperties(properties);
        return factory;
    }

    @Override
    public void close() {
        database.dispose();
    }
}
