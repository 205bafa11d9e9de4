package dev.election.quartz.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.init.DatabasePopulatorUtils;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.transaction.PlatformTransactionManager;

/** A job store in a database that several schedulers share. */
public final class ClusteredStore implements AutoCloseable {

    private final JdbcConnectionPool database =
            JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

    private final DataSource connections = new DelegatingDataSource(database) {
        @Override
        public Connection getConnection() throws SQLException {
            if (cutOff) {
                throw new SQLException("The database can't be reached, as the test wants it");
            }
            return super.getConnection();
        }
    };

    private volatile boolean cutOff;

    public ClusteredStore() {
        DatabasePopulatorUtils.execute(
                new ResourceDatabasePopulator(new ClassPathResource("org/quartz/impl/jdbcjobstore/tables_h2.sql")),
                database);
    }

    /** Of its database. */
    public PlatformTransactionManager transactions() {
        return new DataSourceTransactionManager(connections);
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
        factory.setDataSource(connections);
        factory.setQuartzProperties(properties);
        return factory;
    }

    /** As a node that holds all others for dead takes over from them what they hold. */
    public void recoverAll() {
        JdbcTemplate jdbc = new JdbcTemplate(database);
        jdbc.update(
                "UPDATE QRTZ_TRIGGERS SET TRIGGER_STATE = 'WAITING' WHERE TRIGGER_STATE IN ('ACQUIRED', 'BLOCKED')");
        jdbc.update("DELETE FROM QRTZ_FIRED_TRIGGERS");
    }

    /** Whether the schedulers have no connection to it. */
    public void cutOff(boolean isCutOff) {
        cutOff = isCutOff;
    }

    /** As a node that holds all others for dead, takes over from them, and runs the job of that trigger. */
    public void recoverAllAndRun(String trigger) {
        recoverAll();
        new JdbcTemplate(database)
                .update("UPDATE QRTZ_TRIGGERS SET TRIGGER_STATE = 'BLOCKED' WHERE TRIGGER_NAME = ?", trigger);
    }

    /** As a node that writes back what it has read before a pause. */
    public void setBack(String trigger, long slot) {
        new JdbcTemplate(database)
                .update("UPDATE QRTZ_TRIGGERS SET NEXT_FIRE_TIME = ? WHERE TRIGGER_NAME = ?", slot, trigger);
    }

    /** The time that a trigger waits for, or is to be fired for. */
    public long next(String trigger) {
        return new JdbcTemplate(database)
                .queryForObject("SELECT NEXT_FIRE_TIME FROM QRTZ_TRIGGERS WHERE TRIGGER_NAME = ?", Long.class, trigger);
    }

    public String state(String trigger) {
        return new JdbcTemplate(database)
                .queryForObject(
                        "SELECT TRIGGER_STATE FROM QRTZ_TRIGGERS WHERE TRIGGER_NAME = ?", String.class, trigger);
    }

    @Override
    public void close() {
        database.dispose();
    }
}
