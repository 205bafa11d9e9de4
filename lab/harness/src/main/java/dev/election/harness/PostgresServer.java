package dev.election.harness;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A PostgreSQL server in processes of its own, on loopback, that may be treated badly. It loses no commit unless an option says so. */
public final class PostgresServer implements AutoCloseable {

    /** User that may do everything, without a password. */
    public static final String SUPERUSER = "postgres";

    private static final Duration LONGEST_START = Duration.ofSeconds(60);

    private final Children children;
    private final Path folder;
    private final int port = Ports.free();
    private final List<String> options;
    private Process postmaster;

    /** With those options, written as {@code name=value}. Waits until it answers. */
    public PostgresServer(Children children, Path folder, String... options) {
        this.children = children;
        this.folder = folder;
        this.options = List.of(options);
        run("cp", "-a", Installation.get().data() + "/.", data().toString());
        postmaster = launch(List.of());
    }

    /** The program that the build brings, and the files of an empty database. */
    private record Installation(Path program, Path data) {

        private static final CompletableFuture<Installation> ONLY = new CompletableFuture<>();

        static Installation get() {
            synchronized (ONLY) {
                if (!ONLY.isDone()) {
                    ONLY.complete(unpack());
                }
                return ONLY.join();
            }
        }

        private static Installation unpack() {
            Path data = TemporaryFolders.create("pg").resolve("data");
            EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                    .setPort(Ports.free())
                    .setDataDirectory(data)
                    .setCleanDataDirectory(false)
                    .setPGStartupWait(LONGEST_START);
            try (EmbeddedPostgres unused = builder.start()) {
                String pid = Files.readAllLines(data.resolve("postmaster.pid")).get(0);
                String program = ProcessHandle.of(Long.parseLong(pid.strip()))
                        .flatMap(process -> process.info().command())
                        .orElseThrow();
                return new Installation(Path.of(program), data);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    public int port() {
        return port;
    }

    /** Where it writes what it logs. */
    public Path log() {
        return folder.resolve("postgres.log");
    }

    /** Connects as the superuser, whatever the server does to others. */
    public Connection connect() throws SQLException {
        return connect(SUPERUSER);
    }

    /** Connects as that user. */
    public Connection connect(String user) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port
                + "/postgres?user=" + user + "&connectTimeout=5&socketTimeout=30"
                + "&options=-c%20default_transaction_read_only=off%20-c%20synchronous_commit=local");
    }

    /** Each statement commits itself. */
    public void execute(String... statements) throws SQLException {
        execute(true, statements);
    }

    /** All statements commit together. */
    public void executeAtOnce(String... statements) throws SQLException {
        execute(false, statements);
    }

    private void execute(boolean autoCommit, String... statements) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(autoCommit);
            for (String one : statements) {
                statement.execute(one);
            }
            if (!autoCommit) {
                connection.commit();
            }
        }
    }

    /** The first column of the first row. */
    public String text(String query) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /** Ends the server as a loss of power does; returns when all of its processes are gone. */
    public void kill() {
        List<ProcessHandle> all = stopped();
        all.forEach(ProcessHandle::destroyForcibly);
        children.kill(postmaster);
        for (ProcessHandle process : all) {
            process.onExit()
                    .orTimeout(LONGEST_START.toSeconds(), TimeUnit.SECONDS)
                    .join();
        }
    }

    /** Starts again after a {@link #kill()}, with its data. */
    public void restart() {
        if (postmaster.isAlive()) {
            throw new IllegalStateException("Still running");
        }
        postmaster = launch(List.of());
    }

    /** Stops all of its processes without ending them, as a hung machine. */
    public void freeze() {
        List<ProcessHandle> unused = stopped();
    }

    public void thaw() {
        signal("CONT", family());
    }

    /**
     * After a {@link #kill()} it becomes a standby of that server, with its present data.
     *
     * @param way the port at which the standby reaches it
     */
    public void follow(PostgresServer primary, int way) throws SQLException, IOException {
        run("rm", "-rf", data().toString());
        primary.backUp(data());
        Files.createFile(data().resolve("standby.signal"));
        postmaster = launch(List.of(
                "primary_conninfo=host=127.0.0.1 user=" + SUPERUSER + " port=" + way + " connect_timeout=2",
                "wal_receiver_timeout=2s",
                "wal_retrieve_retry_interval=200ms"));
    }

    /** Makes a primary of a standby. Returns when it takes writes. */
    public void promote() throws SQLException {
        execute("select pg_promote(true, " + LONGEST_START.toSeconds() + ")");
    }

    /** After a {@link #kill()} it goes on with that backup, as a standby that is promoted. Returns when it takes writes. */
    public void promote(Path backup) throws SQLException, IOException {
        run("rm", "-rf", data().toString());
        run("mv", backup.toString(), data().toString());
        Files.createFile(data().resolve("standby.signal"));
        postmaster = launch(List.of());
        promote();
    }

    /** After a {@link #kill()} it goes on with that backup, as the primary that it was. Returns when it takes writes. */
    public void restart(Path backup) {
        run("rm", "-rf", data().toString());
        run("mv", backup.toString(), data().toString());
        restart();
    }

    @Override
    public void close() {
        if (postmaster.isAlive()) {
            kill();
        }
    }

    /** Copies its data, as {@code pg_basebackup} does, which the build does not bring. */
    public void backUp(Path copy) throws SQLException, IOException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("select pg_start_backup('standby', true, false)");
            Files.createDirectories(copy);
            copyAgainIfChanging(data(), copy);
            try (ResultSet stopped = statement.executeQuery("select labelfile from pg_stop_backup(false, false)")) {
                stopped.next();
                Files.writeString(copy.resolve("backup_label"), stopped.getString(1));
            }
        }
        // The log up to the end of the copying.
        copyAgainIfChanging(data().resolve("pg_wal"), copy.resolve("pg_wal"));
        Files.deleteIfExists(copy.resolve("postmaster.pid"));
        // The settings of the original that were changed while it ran.
        Files.writeString(copy.resolve("postgresql.auto.conf"), "");
    }

    /** A file of the running server may vanish meanwhile. */
    private static void copyAgainIfChanging(Path from, Path to) {
        Wait.until("a copy of " + from, LONGEST_START, () -> exitOf("cp", "-a", from + "/.", to.toString()) == 0);
    }

    private Process launch(List<String> more) {
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            // PostgreSQL refuses to run as root.
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(Installation.get().program().toString(), "-D", data().toString()));
        command.addAll(List.of("-p", Integer.toString(port), "-c", "listen_addresses=127.0.0.1"));
        command.addAll(List.of("-c", "unix_socket_directories=", "-c", "wal_keep_size=256MB"));
        options.forEach(option -> command.addAll(List.of("-c", option)));
        more.forEach(option -> command.addAll(List.of("-c", option)));
        Process launched = children.launch(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile())));
        Wait.until("PostgreSQL at port " + port, LONGEST_START, () -> {
            if (!launched.isAlive()) {
                throw new IllegalStateException("PostgreSQL ended: " + Files.readString(log()));
            }
            return answers();
        });
        return launched;
    }

    private boolean answers() {
        try (Connection connection = connect()) {
            return connection.isValid(5);
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** All processes, none of which runs or starts another. */
    private List<ProcessHandle> stopped() {
        // Whoever starts the others comes first.
        signal("STOP", List.of(postmaster.toHandle()));
        List<ProcessHandle> all = family();
        signal("STOP", all);
        return all;
    }

    private List<ProcessHandle> family() {
        List<ProcessHandle> all = new ArrayList<>(postmaster.descendants().toList());
        all.add(postmaster.toHandle());
        return all;
    }

    /** One of them may have ended by itself. */
    private static void signal(String name, List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", "-s", name));
        processes.forEach(process -> command.add(Long.toString(process.pid())));
        int unused = exitOf(command.toArray(String[]::new));
    }

    private static void run(String... command) {
        int exit = exitOf(command);
        if (exit != 0) {
            throw new IllegalStateException(String.join(" ", command) + " ended with " + exit);
        }
    }

    private static int exitOf(String... command) {
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw Wait.interrupted(e);
        }
    }

    private Path data() {
        return folder.resolve("data");
    }
}
