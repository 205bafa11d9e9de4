package dev.election.fencing.internal.transaction;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** A database with a pool, for nodes that share it. */
public final class FencingDatabase implements AutoCloseable {

    private final HikariDataSource pool;
    private final AutoCloseable server;

    private FencingDatabase(String url, @Nullable String user, AutoCloseable server) {
        this.server = server;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        if (user != null) {
            config.setUsername(user);
            config.setPassword("");
        }
        config.setMaximumPoolSize(20);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(10_000);
        this.pool = new HikariDataSource(config);
    }

    public static FencingDatabase h2() {
        return new FencingDatabase("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", () -> {});
    }

    static FencingDatabase postgres() {
        try {
            EmbeddedPostgres postgres = EmbeddedPostgres.start();
            return new FencingDatabase(postgres.getJdbcUrl("postgres", "postgres"), null, postgres);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A server that is there, with its user and password in the URL. What is left of earlier runs is removed. */
    static FencingDatabase at(String url) {
        FencingDatabase database = new FencingDatabase(url, null, () -> {});
        for (String table : List.of("election_fence", "account", "journal", "marker")) {
            database.jdbc().execute("drop table if exists " + table);
        }
        return database;
    }

    /** Lets the database end the transaction of this thread if nothing is asked of it for a second. */
    void endIdleTransaction() {
        jdbc().execute(
                        pool.getJdbcUrl().startsWith("jdbc:postgresql:")
                                ? "set local idle_in_transaction_session_timeout = '1s'"
                                : "set session idle_transaction_timeout = 1");
    }

    public HikariDataSource pool() {
        return pool;
    }

    public JdbcTemplate jdbc() {
        return new JdbcTemplate(pool);
    }

    @Override
    public void close() throws Exception {
        pool.close();
        server.close();
    }
}
