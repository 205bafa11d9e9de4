package dev.election.steering;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.DocumentContext;
import dev.election.LossReason;
import dev.election.harness.Children;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import dev.election.harness.PostgresServer;
import dev.election.spring.scheduling.CronApplication;
import dev.election.steering.SteeredGroup.Leadership;
import dev.election.testing.KillsProcesses;
import dev.election.testing.OtherServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes that rely on one PostgreSQL, each over a way of its own: what leads when one of them, or all, lose it. */
@KillsProcesses
@OtherServers
class LostDatabaseTest {

    /** Three answers and more: leadership that moves in circles would have moved by then. */
    private static final Duration WATCHED = Duration.ofSeconds(20);

    private final List<Link> ways = new ArrayList<>();

    @Test
    void who_alone_loses_the_database_hands_over_and_comes_back_and_if_all_lose_it_the_leader_leads_on(
            @TempDir Path folder, @TempDir Path data) throws Exception {
        try (Children children = new Children();
                PostgresServer database = new PostgresServer(children, data);
                SteeredGroup group = new SteeredGroup(
                        folder,
                        CronApplication.class,
                        "--election.abdicate-when-down=db",
                        "--election.preempt=true",
                        "--election.lease=6s",
                        "--election.minimum-tenure=1s",
                        "--spring.datasource.username=" + PostgresServer.SUPERUSER,
                        "--spring.datasource.hikari.connection-timeout=1000",
                        "--spring.datasource.hikari.validation-timeout=1000")) {
            String preferred = start(group, database, 10);
            group.awaitSettled();
            start(group, database, 0);
            start(group, database, 0);
            group.awaitSettled();
            group.letOthersStart();
            assertThat(group.awaitLeader()).isEqualTo(preferred);

            ways.get(0).become(Conditions.CUT);
            String second = group.awaitLeaderOtherThan(preferred);
            Leadership ended = group.history().get(0);
            assertThat(ended.reason()).isEqualTo(LossReason.PREEMPTED);
            assertThat(ended.requestedBy()).contains("and the leader is down: db");
            assertThat(down(group, second)).isEmpty();

            ways.get(0).become(Conditions.FINE);
            assertThat(group.awaitLeaderOtherThan(second)).isEqualTo(preferred);
            List<Leadership> before = group.history();
            assertThat(before).hasSize(3);

            database.kill();
            SteeredGroup.await("all are down").until(() -> group.nodes().stream()
                    .noneMatch(node -> down(group, node).isEmpty()));
            SteeredGroup.pass(WATCHED);
            assertThat(group.history()).as("leads on").isEqualTo(before);
            assertThat(group.schedulers().log())
                    .filteredOn(line -> line.contains("All candidates of the election 'default' are down"))
                    .as("said once")
                    .hasSize(1);

            database.restart();
            SteeredGroup.await("all are up").until(() -> group.nodes().stream()
                    .allMatch(node -> down(group, node).isEmpty()));
            assertThat(group.history()).as("leads on").isEqualTo(before);
            before.forEach(System.out::println);
            group.schedulers().stop();
        } finally {
            ways.forEach(Link::close);
        }
    }

    private String start(SteeredGroup group, PostgresServer database, int priority) {
        Link way = new Link(database.port());
        ways.add(way);
        return group.start(
                "--election.priority=" + priority,
                "--spring.datasource.url=jdbc:postgresql://127.0.0.1:" + way.port() + "/postgres?connectTimeout=1");
    }

    /** What the health of that node says of it: why others should lead. */
    private static List<String> down(SteeredGroup group, String node) {
        DocumentContext health = group.read(node, "health");
        return health.read("$..othersShouldLead.reason");
    }
}
