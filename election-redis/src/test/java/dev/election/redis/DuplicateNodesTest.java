package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.LoggedLines;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Members with one node id find each other. */
@RealTime
class DuplicateNodesTest {

    /** So long that a pause of the machine does not make a process connect anew. */
    private static final Duration LEASE = Duration.ofSeconds(6);

    private static final String PREFIX = "duplicates";
    private static final String WARNING =
            "Another live process takes part in elections in this store with the same node id ";

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    @AutoClose
    private final Opened opened = new Opened();

    private final RedisServer server = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));

    @Test
    void of_two_members_with_one_node_id_the_first_warns_of_the_second() {
        Members first = process("twin");
        Nodes.await("the first is a member").until(() -> first.count() == 1);
        process("twin");
        process("single");
        Nodes.await("a warning").until(() -> warnings("twin") == 1);
        Nodes.await("the third sees all").until(() -> first.count() == 3);
        assertThat(warnings("single")).isZero();
    }

    @Test
    void a_member_that_reconnects_finds_one_that_came_meanwhile() {
        Members first = process("twin");
        Nodes.await("the first is a member").until(() -> first.count() == 1);
        server.kill();
        process("twin");
        server.restart();
        Nodes.await("a warning").until(() -> warnings("twin") > 0);
    }

    private Members process(String node) {
        RedisLeaseStore store = opened.add(RedisLeaseStore.open(RedisAccess.at(server.uri()), PREFIX, LEASE));
        ElectionEngine engine = opened.add(ElectionEngine.over(store)
                .as(new NodeInfo(node, node + ":80"))
                .timing(Timing.ofLease(LEASE))
                .members(MemberSettings.none())
                .build());
        Members members = engine.members().orElseThrow();
        engine.get("e");
        engine.start();
        return members;
    }

    private long warnings(String node) {
        return log.warnings().stream()
                .filter(line -> line.startsWith(WARNING + node + ":"))
                .count();
    }
}
