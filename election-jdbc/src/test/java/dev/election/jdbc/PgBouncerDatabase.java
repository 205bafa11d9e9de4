package dev.election.jdbc;

import dev.election.harness.Children;
import dev.election.harness.Ports;
import dev.election.harness.TemporaryFolders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** A PostgreSQL behind a PgBouncer in transaction mode, which must be on the path. Each transaction may get another connection of two. */
final class PgBouncerDatabase implements TestDatabase {

    private final PostgresDatabase server = new PostgresDatabase();
    private final int port = Ports.free();
    private final Process bouncer;

    PgBouncerDatabase() throws IOException {
        Path folder = TemporaryFolders.create("pgbouncer");
        Path users = folder.resolve("users");
        Path settings = folder.resolve("pgbouncer.ini");
        Files.writeString(users, "\"postgres\" \"\"\n");
        // What JDBC sets at the start of a session is the same in all of them.
        Files.writeString(
                settings,
                """
                [databases]
                postgres = host=127.0.0.1 port=%d
                [pgbouncer]
                listen_addr = localhost
                listen_port = %d
                unix_socket_dir =
                auth_type = trust
                auth_file = %s
                pool_mode = transaction
                default_pool_size = 2
                server_login_retry = 1
                ignore_startup_parameters = extra_float_digits
                """
                        .formatted(server.server().port(), port, users));
        List<String> command = new ArrayList<>(List.of("pgbouncer", settings.toString()));
        if (System.getProperty("user.name").equals("root")) {
            // It does not run as root, and has to read its files as another.
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            command.addAll(1, List.of("-u", "nobody"));
        }
        bouncer = Children.OF_THIS_JVM.launch(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile()));
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            try (Connection connection = connect()) {
                return connection.isValid(5);
            } catch (SQLException notYet) {
                return false;
            }
        });
    }

    /** The server, without the pooler. */
    PostgresDatabase direct() {
        return server;
    }

    @Override
    public String url() {
        return "jdbc:postgresql://localhost:" + port + "/postgres";
    }

    @Override
    public String user() {
        return server.user();
    }

    @Override
    public void detachStandby() throws Exception {
        server.detachStandby();
    }

    @Override
    public void promoteStandby() throws Exception {
        server.promoteStandby();
    }

    @Override
    public void close() throws Exception {
        bouncer.destroy();
        bouncer.waitFor();
        server.close();
    }
}
