package dev.election.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.ApiFault;
import dev.election.harness.StrictApiServer;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import dev.election.testing.Renewals;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Whole nodes over API servers that are updated, or that are behind something that ends connections. */
@RealTime
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Isolated("It counts the lines of the log")
class RollingApiServerTest {

    private static final Duration SOON = Duration.ofSeconds(30);

    private static final Duration OFTEN = Duration.ofMillis(200);

    /** Longer than a watch has to be there: one that ends within half a second is told. */
    private static final Duration HELD = Duration.ofMillis(1_500);

    private final Opened opened = new Opened();
    private final StrictApiServer server = opened.add(new StrictApiServer());

    @AfterEach
    void close() throws Exception {
        opened.close();
        assertThat(server.refusals()).isEmpty();
    }

    private Election launch(String id, Duration lease, Duration renewEvery) {
        TestNode node = opened.add(new TestNode(server, id));
        ElectionEngine engine = ElectionEngine.over(node.store)
                .as(new NodeInfo(id, ""))
                .timing(new Timing(lease, renewEvery, Duration.ofSeconds(1)))
                .build();
        opened.add(engine::close);
        Election election = engine.get("e");
        engine.start();
        return election;
    }

    private static FencingToken awaitLeader(Election election) {
        Awaitility.await().atMost(SOON).until(election::isLeader);
        return election.leadership().map(Leadership::token).orElseThrow();
    }

    @Test
    void connections_that_end_every_few_seconds_cost_neither_a_leadership_nor_a_line() throws Exception {
        Election leader = launch("first", TestNode.LEASE, HELD);
        FencingToken token = awaitLeader(leader);
        Election follower = launch("second", TestNode.LEASE, HELD);
        Awaitility.await().atMost(SOON).until(() -> follower.leader().isPresent());
        try (LoggedLines log = new LoggedLines("dev.election")) {
            for (int i = 0; i < 4; i++) {
                Awaitility.await().atMost(SOON).until(() -> server.watches() == 2);
                // Just after the second renewal: both watches have held by then, and no renewal is under way, whose end
                // would be told.
                Renewals.await(leader, token, 2);
                server.dropConnections();
            }
            Renewals.await(leader, token, 1);
            assertThat(follower.isLeader()).isFalse();
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void replies_that_each_end_their_connection_keep_a_leader_and_let_a_candidate_follow() throws Exception {
        server.always(new ApiFault.LastReply());
        Election first = launch("first", TestNode.LEASE, OFTEN);
        FencingToken token = awaitLeader(first);
        Election second = launch("second", TestNode.LEASE, OFTEN);
        try (LoggedLines log = new LoggedLines("dev.election")) {
            Renewals.await(first, token, 9);
            first.abdicate(Abdication.toAnyone().coolingDownFor(SOON));
            assertThat(awaitLeader(second).value()).isGreaterThan(token.value());
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void a_leader_stays_with_its_token_while_the_api_server_restarts() throws Exception {
        Election leader = launch("first", TestNode.LEASE, OFTEN);
        FencingToken token = awaitLeader(leader);
        server.stop();
        server.start();
        Renewals.await(leader, token, 3);
    }

    @Test
    void an_outage_that_outlasts_the_lease_is_told_once() {
        Duration lease = Duration.ofSeconds(3);
        Election leader = launch("first", lease, OFTEN);
        awaitLeader(leader);
        try (LoggedLines log = new LoggedLines("dev.election")) {
            server.always(ApiFault.unavailable());
            Awaitility.await().atMost(lease.plusSeconds(1)).until(() -> !leader.isLeader());
            long sent = server.count();
            Awaitility.await().atMost(SOON).until(() -> server.count() > sent + 3);
            assertThat(log.with("503 to patch")).hasSizeLessThanOrEqualTo(2);
            assertThat(log.warnings()).hasSizeLessThanOrEqualTo(4);
            server.heal();
            awaitLeader(leader);
        }
    }
}
