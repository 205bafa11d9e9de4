package dev.election.jdbc;

import dev.election.harness.Children;
import dev.election.harness.PostgresServer;
import dev.election.harness.TemporaryFolders;
import java.nio.file.Path;

/** A PostgreSQL. Its standby is a backup, which is promoted to a new timeline. */
final class PostgresDatabase implements TestDatabase {

    private final PostgresServer server =
            new PostgresServer(Children.OF_THIS_JVM, TemporaryFolders.create("pg"), "max_connections=300");

    private Path backup;

    PostgresServer server() {
        return server;
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + server.port() + "/postgres";
    }

    @Override
    public String user() {
        return PostgresServer.SUPERUSER;
    }

    @Override
    public void detachStandby() throws Exception {
        backup = TemporaryFolders.create("pg").resolve("data");
        server.backUp(backup);
    }

    @Override
    public void promoteStandby() throws Exception {
        server.kill();
        server.promote(backup);
    }

    @Override
    public void close() {
        server.close();
    }
}
