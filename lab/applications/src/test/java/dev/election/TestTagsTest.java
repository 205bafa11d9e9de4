package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A test that kills processes, or needs a database server, more servers than one Redis, or a browser, says so by its tag, so that the default build
 * leaves it out: what makes a build slow is seen where it is added.
 */
class TestTagsTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    private static final Pattern COSTLY =
            Pattern.compile("\\b(SentinelGroup|RedisCluster|ContainerRedis|SchedulerGroup|SteeredGroup"
                    + "|SchedulerProcess|NodeProcess|RoutedProcess|ThreeReplicas|SampleMachine|LeaderChanges|Browser"
                    + "|PostgresDatabase|PgBouncerDatabase|MariaDbDatabase|MySqlDatabase|ReplicasOnPostgres"
                    + "|KubernetesServer|EtcdServer|ZooKeeperServer)\\b");

    private static final Pattern TAGGED =
            Pattern.compile("@(OtherServers|KillsProcesses|RealTime|Thorough|InBrowser)\\b"
                    + "|@Tag\\(\"(other-servers|kills-processes|real-time|thorough|in-browser|mysql)\"\\)");

    /** In every build: the change of leader between real processes. */
    private static final Set<String> IN_EVERY_BUILD =
            Set.of("ThreeReplicasTest.java", "SmokeOnEtcdTest.java", "SmokeOnZooKeeperTest.java");

    @Test
    void a_test_with_costly_fixtures_has_a_tag() throws IOException {
        List<Path> costly = tests().stream()
                .filter(test -> !test.endsWith("TestTagsTest.java")
                        && COSTLY.matcher(text(test)).find())
                .toList();

        assertThat(costly).as("tests with costly fixtures").hasSizeGreaterThan(15);
        assertThat(costly)
                .as("tests with costly fixtures, of which each needs one of the tags %s", TAGGED)
                .allMatch(test -> IN_EVERY_BUILD.contains(test.getFileName().toString())
                        || TAGGED.matcher(text(test)).find());
    }

    private static List<Path> tests() throws IOException {
        List<Path> tests = new ArrayList<>();
        for (String part : List.of("", "lab")) {
            try (Stream<Path> modules = Files.list(ROOT.resolve(part))) {
                for (Path module : modules.toList()) {
                    tests.addAll(testsOf(module.resolve("src").resolve("test")));
                }
            }
        }
        return tests;
    }

    private static List<Path> testsOf(Path sources) throws IOException {
        if (!Files.isDirectory(sources)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(file -> file.getFileName().toString().matches(".*Test\\.(java|kt)"))
                    .toList();
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
