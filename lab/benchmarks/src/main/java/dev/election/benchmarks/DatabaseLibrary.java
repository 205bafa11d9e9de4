package dev.election.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.election.harness.PostgresServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Locale;

/** Whose nodes compete. Each library, with each lease, has a database of its own in the same server, or a Redis of its own. */
enum DatabaseLibrary {
    /** The elections of this project over Redis. */
    REDIS("this library over Redis", "") {
        @Override
        Competitor open(String id, int port, Duration lease) {
            return ElectionCompetitor.overRedis(id, port, lease);
        }
    },
    /** The elections of this project over the database. */
    ELECTION("this library, poll interval 5 s", "") {
        @Override
        Competitor open(String id, int port, Duration lease) {
            return ElectionCompetitor.overDatabase(id, url(port, lease), lease, Duration.ofSeconds(5));
        }
    },
    /** The elections of this project over the database, which look for news more often. */
    ELECTION_1S("this library, poll interval 1 s", "") {
        @Override
        Competitor open(String id, int port, Duration lease) {
            return ElectionCompetitor.overDatabase(id, url(port, lease), lease, Duration.ofSeconds(1));
        }
    },
    /** A lock of ShedLock that is kept for as long as its holder lives. */
    SHEDLOCK("ShedLock 7.7.0, JDBC provider", "/shedlock-postgresql.sql") {
        @Override
        Competitor open(String id, int port, Duration lease) {
            return new ShedLockCompetitor(pool(url(port, lease)), lease);
        }
    },
    /** A leader initiator of Spring Integration. */
    REGISTRY(
            "Spring Integration 7.1.0, `JdbcLockRegistry`",
            "/org/springframework/integration/jdbc/schema-postgresql.sql") {
        @Override
        Competitor open(String id, int port, Duration lease) {
            return new RegistryCompetitor(id, pool(url(port, lease)), lease);
        }
    },
    /** A cluster of Quartz with a job each second, which does not run twice at a time. */
    QUARTZ("Quartz 2.5.2, clustered, a job each second", "/org/quartz/impl/jdbcjobstore/tables_postgres.sql") {
        @Override
        Competitor open(String id, int port, Duration lease) {
            return new QuartzCompetitor(id, url(port, lease), lease, true);
        }
    },
    /** A clustered Quartz scheduler without a job that is due. */
    QUARTZ_IDLE("Quartz 2.5.2, clustered, no job due", "/org/quartz/impl/jdbcjobstore/tables_postgres.sql") {
        @Override
        Competitor open(String id, int port, Duration lease) {
            return new QuartzCompetitor(id, url(port, lease), lease, false);
        }
    };

    private final String title;
    private final String schema;

    DatabaseLibrary(String title, String schema) {
        this.title = title;
        this.schema = schema;
    }

    String title() {
        return title;
    }

    /** Opens a node in this process. */
    abstract Competitor open(String id, int port, Duration lease);

    /** Whether it tells of each run of a job, and a node that does not run one has nothing to lose. */
    boolean tellsRuns() {
        return this == QUARTZ;
    }

    String database(Duration lease) {
        return name().toLowerCase(Locale.ROOT) + "_" + lease.toSeconds();
    }

    final String url(int port, Duration lease) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database(lease) + "?user=" + PostgresServer.SUPERUSER;
    }

    /** Makes its database and its tables, unless it does the latter by itself. */
    void create(PostgresServer server, Duration lease) throws SQLException, IOException {
        server.execute("create database " + database(lease));
        if (!schema.isEmpty()) {
            try (InputStream in = DatabaseLibrary.class.getResourceAsStream(schema);
                    Connection connection = DriverManager.getConnection(url(server.port(), lease));
                    Statement statement = connection.createStatement()) {
                if (in == null) {
                    throw new IOException("No " + schema);
                }
                statement.execute(new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(4);
        pool.setMinimumIdle(1);
        return pool;
    }
}
