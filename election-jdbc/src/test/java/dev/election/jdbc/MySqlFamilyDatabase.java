package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.Ports;
import dev.election.harness.TemporaryFolders;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A MySQL or MariaDB whose binaries are on the path. Its standby is a backup of the rows under another id, as a replica has one. */
abstract class MySqlFamilyDatabase implements TestDatabase {

    private static final String DATABASE = "elections";

    private final String scheme;
    private final int port = Ports.free();
    private final Path files = TemporaryFolders.create("database").resolve("data");
    private List<List<@Nullable String>> backup = List.of();
    private Process server;

    /** Creates the files by that command, and starts the server. */
    MySqlFamilyDatabase(String scheme, String... installation) throws Exception {
        this.scheme = scheme;
        Process install = new ProcessBuilder(onTheFiles(installation))
                .redirectErrorStream(true)
                .redirectOutput(log("install.log"))
                .start();
        assertThat(install.waitFor()).as("exit of %s", installation[0]).isZero();
        this.server = start();
        try (Connection connection = connect("")) {
            connection.createStatement().execute("create database " + DATABASE);
        }
    }

    /** The command that starts the server on its files. */
    abstract List<String> command();

    /** Gives the files the identity that the server of a replica has. */
    abstract void becomeAnother(Path data) throws IOException;

    private Process start() {
        List<String> command = onTheFiles(command().toArray(String[]::new));
        command.addAll(List.of(
                "--port=" + port,
                "--bind-address=127.0.0.1",
                "--socket=" + files.resolveSibling("s"),
                "--pid-file=" + files.resolveSibling("pid")));
        Process started = Children.OF_THIS_JVM.launch(
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log("server.log")));
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            try (Connection connection = connect("")) {
                return connection.isValid(5);
            } catch (SQLException notYet) {
                return false;
            }
        });
        return started;
    }

    private List<String> onTheFiles(String... command) {
        List<String> all = new ArrayList<>(Arrays.asList(command));
        all.addAll(List.of("--datadir=" + files, "--user=" + System.getProperty("user.name")));
        return all;
    }

    private File log(String name) {
        return files.resolveSibling(name).toFile();
    }

    private Connection connect(String database) throws SQLException {
        return JdbcDatabase.at(url(database), user(), "").open(Duration.ofSeconds(10));
    }

    private String url(String database) {
        return "jdbc:" + scheme + "://localhost:" + port + "/" + database;
    }

    @Override
    public String url() {
        return url(DATABASE);
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
        becomeAnother(files);
        server = start();
        restore(backup);
    }

    @Override
    public void close() throws Exception {
        stop();
    }
}
