package com.example.migrations;

import dev.election.jobs.OnceRunner;
import javax.sql.DataSource;
import liquibase.Liquibase;
import liquibase.integration.spring.SpringLiquibase;
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
    FlywayMigrationStrategy migrateOnce(OnceRunner once) {
        return flyway -> once.run("schema-2", work -> flyway.migrate());
    }

    @Bean
    @ConditionalOnProperty("migrations.changes")
    SpringLiquibase changeOnce(DataSource dataSource, OnceRunner once) {
        SpringLiquibase changes = new SpringLiquibase() {
            @Override
            protected void performUpdate(Liquibase liquibase) {
                once.run("changes-2", work -> {
                    // Of a runner that was killed: nobody else runs it now.
                    liquibase.forceReleaseLocks();
                    super.performUpdate(liquibase);
                });
            }
        };
        changes.setDataSource(dataSource);
        changes.setChangeLog("classpath:db/changelog/changes.sql");
        return changes;
    }
}
