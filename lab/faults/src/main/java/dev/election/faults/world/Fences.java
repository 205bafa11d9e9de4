package dev.election.faults.world;

import dev.election.faults.node.FencedRow;
import dev.election.harness.Children;
import dev.election.harness.Ports;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import org.h2.tools.Server;

/** The resources that the tokens protect: a Redis and a database that nobody breaks. */
public final class Fences implements AutoCloseable {

    private final RedisProcess redis;
    private final Server database;
    private final String table;

    /** The database lives as long as somebody is connected. */
    private final Connection keeper;

    public Fences(Children children, Path folder) throws SQLException {
        redis = new RedisProcess(RedisSettings.in(folder, children, List.of()));
        database = Server.createTcpServer("-tcpPort", Integer.toString(Ports.free()), "-ifNotExists")
                .start();
        // A database in memory belongs to the process, not to the server by which it is reached.
        table = "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/mem:fences" + database.getPort();
        keeper = DriverManager.getConnection(table);
        FencedRow.createTable(keeper);
    }

    int port() {
        return redis.port();
    }

    String table() {
        return table;
    }

    @Override
    public void close() throws SQLException {
        keeper.close();
        database.stop();
    }
}
