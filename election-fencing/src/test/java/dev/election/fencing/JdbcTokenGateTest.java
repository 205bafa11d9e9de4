package dev.election.fencing;

import com.zaxxer.hikari.HikariDataSource;
import dev.election.fencing.internal.table.FenceSchema;
import java.time.Duration;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

class JdbcTokenGateTest extends TokenGateContract {

    @AutoClose
    private final HikariDataSource database = new HikariDataSource();

    @BeforeEach
    void create() {
        database.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
        new FenceSchema(any -> true).create(database);
    }

    @Override
    protected TokenGate gate(Duration ahead) {
        return new JdbcTokenGate(() -> database, Duration.ofSeconds(5), ahead, InstantSource.system());
    }
}
