package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.members.LeaveReason;
import dev.election.members.MemberEvent;
import dev.election.members.MemberLeft;
import dev.election.members.MemberRole;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ten nodes with one election as members: what they see, and what it costs. */
@OtherServers
class RequestsOfMembersTest {

    private static final Logger log = LoggerFactory.getLogger(RequestsOfMembersTest.class);

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final int NODES = 10;
    private static final int RENEWALS = 18;
    private static final Pattern CALLS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+),");

    @Test
    void ten_nodes_send_as_many_requests_as_without_members_and_see_each_other() {
        // At the same time, so that what else the machine does is the same for both.
        try (Group loners = new Group(false);
                Group members = new Group(true)) {
            loners.awaitSettled();
            members.awaitSettled();
            loners.count();
            members.count();
            long began = System.nanoTime();
            Nodes.await("some leases")
                    .atMost(LEASE.multipliedBy(RENEWALS))
                    .until(() -> System.nanoTime() - began > LEASE.toNanos() * RENEWALS / 3);
            double without = loners.requestsALease();
            double with = members.requestsALease();
            log.info(
                    "Requests a lease of {} nodes with one election: {} without members, {} with",
                    NODES,
                    without,
                    with);
            assertThat(with).isLessThan(without * 1.15);
            members.assertSeen();
        }
    }

    private static long requests(RedisServer server) {
        Matcher calls = CALLS.matcher(server.call(redis -> redis.info("commandstats")));
        long all = 0;
        while (calls.find()) {
            all += Long.parseLong(calls.group(1));
        }
        return all;
    }

    private static final class Group implements AutoCloseable {

        private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
        private final List<RedisLeaseStore> stores = new ArrayList<>();
        private final List<ElectionEngine> engines = new ArrayList<>();
        private final List<Members> members = new ArrayList<>();
        private final Queue<MemberEvent> events = new ConcurrentLinkedQueue<>();
        private long before;
        private long began;

        Group(boolean asMembers) {
            for (int i = 0; i < NODES; i++) {
                RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(server.uri()), "requests", LEASE);
                stores.add(store);
                ElectionEngine engine = ElectionEngine.over(store)
                        .as(new NodeInfo("n" + i, "host"))
                        .timing(Timing.ofLease(LEASE))
                        .members(MemberSettings.none().zone("z" + i))
                        .build();
                engine.get("e");
                if (asMembers) {
                    members.add(engine.members().orElseThrow());
                }
                engines.add(engine);
                engine.start();
            }
        }

        private void awaitSettled() {
            Nodes.await("a leader that all know").until(() -> engines.stream()
                    .allMatch(engine -> engine.get("e").leader().isPresent()));
            Nodes.await("all members with their roles").until(() -> members.stream()
                    .allMatch(known -> known.count() == NODES
                            && known.leader("e").isPresent()
                            && known.candidates("e").size() == NODES - 1));
        }

        private void count() {
            before = requests(server);
            began = System.nanoTime();
        }

        /** Since {@link #count}. */
        private double requestsALease() {
            long sent = requests(server) - before;
            return sent / ((double) (System.nanoTime() - began) / LEASE.toNanos());
        }

        private void assertSeen() {
            Members first = members.get(0);
            first.addListener(events::add);
            Nodes.await("the same on each node").untilAsserted(() -> {
                assertThat(first.view().isComplete()).isTrue();
                assertThat(first.leader("e")).isEqualTo(members.get(1).leader("e"));
                assertThat(first.candidates("e"))
                        .as("in the same order on each node")
                        .isEqualTo(members.get(NODES - 1).candidates("e"));
            });
            engines.get(NODES - 1).close();
            Nodes.await("one that has left").until(() -> events.stream()
                    .anyMatch(event -> event instanceof MemberLeft left && left.reason() == LeaveReason.STOPPED));
            assertThat(first.withRole("e", MemberRole.CANDIDATE).size()).isLessThan(NODES);
        }

        @Override
        public void close() {
            engines.forEach(ElectionEngine::close);
            stores.forEach(RedisLeaseStore::close);
            server.close();
        }
    }
}
