package com.example.sample.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import dev.election.harness.TemporaryFolders;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The launcher as {@code mvn spring-boot:run} starts it on a machine that has not run it before, its replicas and its PostgreSQL. */
@Tag("kills-processes")
class ReplicasOnPostgresTest {

    /** Generous: others may use the machine as well, and the files of a database are made first. */
    private static final Duration SOON = Duration.ofMinutes(2);

    private static final String LEADS = "(app-\\d) \\| .*This node became the leader of 'default'";

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final JvmProcess launcher = launch();

    @AfterEach
    void stop() {
        launcher.kill();
    }

    @Test
    void one_of_three_replicas_leads_by_the_database_another_follows_and_none_stays_when_the_launcher_is_killed()
            throws Exception {
        String leader = await(LEADS, 1).get(0).group(1);
        List<MatchResult> replicas = await("(app-\\d) is process (\\d+) and answers at (http://\\S+)$", 3);
        int port = Integer.parseInt(
                await("^PostgreSQL listens at port (\\d+)$", 1).get(0).group(1));
        assertThat(holder(port)).isEqualTo(leader);
        await("\\| .*Report \\d", 1);

        replicas.stream()
                .filter(replica -> replica.group(1).equals(leader))
                .forEach(replica -> process(replica.group(2)).destroy());

        String next = await(LEADS, 2).get(1).group(1);
        assertThat(next).isNotEqualTo(leader);
        assertThat(holder(port)).isEqualTo(next);

        launcher.kill();

        Awaitility.await("the end of all")
                .atMost(SOON)
                .until(() -> replicas.stream().noneMatch(replica -> ProcessHandle.of(Long.parseLong(replica.group(2)))
                                .isPresent())
                        && PostgresServer.isFree(port));
    }

    private JvmProcess launch() {
        List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        options.addAll(List.of(System.getProperty("launcher.jvmArguments").split(" ")));
        // The first start unpacks the files of PostgreSQL there, later ones find them.
        options.add("-Djava.io.tmpdir=" + TemporaryFolders.create("fresh-"));
        List<String> command =
                JvmProcess.command(options, System.getProperty("launcher.mainClass"), List.of("--election.lease=5s"));
        JvmProcess process =
                new JvmProcess("launcher", Children.OF_THIS_JVM, new ProcessBuilder(command).redirectErrorStream(true));
        process.listen(lines::add, () -> {});
        return process;
    }

    private List<MatchResult> await(String pattern, int count) {
        Pattern wanted = Pattern.compile(pattern);
        Supplier<List<MatchResult>> found = () ->
                lines.stream().flatMap(line -> wanted.matcher(line).results()).toList();
        Awaitility.await()
                .atMost(SOON)
                .failFast(() -> assertThat(launcher.isAlive())
                        .as(String.join("\n", lines))
                        .isTrue())
                .untilAsserted(() ->
                        assertThat(found.get()).as(String.join("\n", lines)).hasSizeGreaterThanOrEqualTo(count));
        return found.get();
    }

    private static ProcessHandle process(String pid) {
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    private static String holder(int port) throws Exception {
        try (Connection connection = DriverManager.getConnection(
                        "jdbc:postgresql://localhost:" + port + "/postgres", "postgres", "");
                ResultSet row = connection
                        .createStatement()
                        .executeQuery("select holder from election where name = 'default'")) {
            assertThat(row.next()).isTrue();
            return row.getString(1);
        }
    }
}
