package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.Ports;
import dev.election.harness.TemporaryFolders;
import java.io.File;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A MariaDB: its binaries must be on the path. Its standby is a backup of the rows under another id, as a replica has one. */
final class MariaDbDatabase implements TestDatabase {

    private final int port = Ports.free();
    private final Path files = TemporaryFolders.create("maria").resolve("data");
    private List<List<@Nullable String>> backup = List.of();
    private int serverId = 1;
    private Process server;

    MariaDbDatabase() throws Exception {
        Process install = new ProcessBuilder(
                        "mariadb-install-db",
                        "--no-defaults",
                        "--datadir=" + files,
                        "--auth-root-authentication-method=normal",
                        "--skip-test-db",
                        "--user=" + System.getProperty("user.name"))
                .redirectErrorStream(true)
                .redirectOutput(new File(files.getParent().toFile(), "install.log"))
                .start();
        assertThat(install.waitFor()).as("exit of mariadb-install-db").isZero();
        this.server = start();
        try (Connection connection = JdbcDatabase.at("jdbc:mariadb://localhost:" + port + "/", user(), "")
                .open(Duration.ofSeconds(10))) {
            connection.createStatement().execute("create database elections");
        }
    }

    private Process start() {
        Process started = Children.OF_THIS_JVM.launch(new ProcessBuilder(
                        "mariadbd",
                        "--no-defaults",
                        "--datadir=" + files,
                        "--user=" + System.getProperty("user.name"),
                        "--port=" + port,
                        "--bind-address=127.0.0.1",
                        "--socket=" + files.getParent().resolve("s"),
                        "--pid-file=" + files.getParent().resolve("pid"),
                        "--server-id=" + serverId)
                .redirectErrorStream(true)
                .redirectOutput(new File(files.getParent().toFile(), "server.log")));
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            try (Connection connection = JdbcDatabase.at("jdbc:mariadb://localhost:" + port + "/", user(), "")
                    .open(Duration.ofSeconds(10))) {
                return connection.isValid(5);
            } catch (SQLException notYet) {
                return false;
            }
        });
        return started;
    }

    @Override
    public String url() {
        return "jdbc:mariadb://localhost:" + port + "/elections";
    }

    @Override
    public String user() {
        return "root";
    }

    private void stop() throws InterruptedException {
        server.destroy();
        server.waitFor();
    }

    @Override
    public void detachStandby() {
        backup = backup();
    }

    @Override
    public void promoteStandby() throws Exception {
        stop();
        serverId++;
        server = start();
        restore(backup);
    }

    @Override
    public void close() throws Exception {
        stop();
    }
}
