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

    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Opened opened = new Opened();
    private final StrictApiServer server = opened.add(new StrictApiServer());

    @AfterEach
    void close() throws Exception {
        opened.close();
        assertThat(server.refusals()).isEmpty();
    }

    private Election launch(String id) {
        KubernetesLeaseStore store =
                opened.add(KubernetesLeaseStore.open(TestAccess.to(server), LEASE, KubernetesSettings.DEFAULT));
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, ""))
                .timing(new Timing(LEASE, LEASE.dividedBy(3), Duration.ofSeconds(1)))
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

    /** Leads under the same token at each look, for that time. */
    private static void assertKept(Election leader, FencingToken token, Duration time, Runnable eachSecond) {
        Awaitility.await()
                .pollInterval(Duration.ofSeconds(1))
                .during(time)
                .atMost(time.plus(SOON))
                .until(() -> {
                    eachSecond.run();
                    return leader.leadership()
                            .map(present -> present.token().equals(token))
                            .orElse(false);
                });
    }

    @Test
    void connections_that_end_each_second_cost_neither_a_leadership_nor_a_line() {
        Election leader = launch("first");
        FencingToken token = awaitLeader(leader);
        Election follower = launch("second");
        Awaitility.await().atMost(SOON).until(() -> follower.leader().isPresent());
        try (LoggedLines log = new LoggedLines("dev.election")) {
            assertKept(leader, token, LEASE.multipliedBy(4), server::dropConnections);
            assertThat(follower.isLeader()).isFalse();
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void replies_that_each_end_their_connection_keep_a_leader_and_let_a_candidate_follow() {
        server.always(new ApiFault.LastReply());
        Election first = launch("first");
        FencingToken token = awaitLeader(first);
        Election second = launch("second");
        try (LoggedLines log = new LoggedLines("dev.election")) {
            assertKept(first, token, LEASE.multipliedBy(3), () -> {});
            first.abdicate(Abdication.toAnyone().coolingDownFor(SOON));
            assertThat(awaitLeader(second).value()).isGreaterThan(token.value());
            assertThat(log.warnings()).isEmpty();
        }
    }

    @Test
    void a_leader_stays_with_its_token_while_the_api_server_restarts_and_an_outage_is_told_once() {
        Election leader = launch("first");
        FencingToken token = awaitLeader(leader);
        server.stop();
        server.start();
        assertKept(leader, token, LEASE, () -> {});
        try (LoggedLines log = new LoggedLines("dev.election")) {
            server.always(ApiFault.unavailable());
            Awaitility.await().atMost(LEASE.plusSeconds(1)).until(() -> !leader.isLeader());
            Awaitility.await().pollDelay(LEASE).atMost(SOON).until(() -> true);
            assertThat(log.with("503")).hasSizeLessThanOrEqualTo(2);
            assertThat(log.warnings()).hasSizeLessThanOrEqualTo(4);
            server.heal();
            awaitLeader(leader);
        }
    }
}
