package com.example.migrations;

import dev.election.RunOnce;
import javax.sql.DataSource;
import liquibase.integration.spring.SpringLiquibase;
import org.flywaydb.core.Flyway;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.annotation.Bean;

/** Migrates as docs/run-once.md says, by Flyway or by Liquibase. */
@SpringBootApplication
public class MigratingApplication {

    /** What it says when it has started. */
    static final String READY = "ready";

    public static void main(String[] arguments) {
        SpringApplication.run(MigratingApplication.class, arguments);
        System.out.println(READY);
    }

    @Bean
    @RunOnce("schema-2")
    FlywayMigrationStrategy migrateOnce() {
        return Flyway::migrate;
    }

    @Bean
    @ConditionalOnProperty("migrations.changes")
    @RunOnce("changes-2")
    SpringLiquibase changeOnce(DataSource dataSource) {
        SpringLiquibase changes = new SpringLiquibase();
        changes.setDataSource(dataSource);
        changes.setChangeLog("classpath:db/changelog/changes.sql");
        return changes;
    }
}
