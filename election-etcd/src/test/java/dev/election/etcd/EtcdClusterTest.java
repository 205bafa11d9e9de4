package dev.election.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.Conditions;
import dev.election.harness.EtcdServer;
import dev.election.testing.Opened;
import dev.election.testing.OtherServers;
import dev.election.testing.Renewals;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Whole nodes over three members of an etcd. */
@OtherServers
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EtcdClusterTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    /** The first of them may have been on its way already. */
    private static final int RENEWALS = 6;

    private final Opened opened = new Opened();
    private final List<EtcdServer> members = EtcdServer.cluster(3);

    @AfterEach
    void leave() throws Exception {
        opened.close();
    }

    @AfterAll
    void close() {
        members.forEach(EtcdServer::close);
    }

    private Election launch(String id, Duration lease) {
        EtcdLeaseStore store = opened.add(EtcdLeaseStore.open(
                TestStore.access(null, members.toArray(EtcdServer[]::new)), lease, EtcdSettings.DEFAULT));
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo(id, ""))
                .timing(new Timing(lease, Duration.ofMillis(200), Duration.ofSeconds(1)))
                .build();
        opened.add(engine::close);
        Election election = engine.get("e");
        engine.start();
        return election;
    }

    /** Two nodes, of which the first leads and the second follows. */
    private record Pair(Election leader, FencingToken token, Election follower) {}

    private Pair launchTwo(Duration lease) {
        Election leader = launch("first", lease);
        FencingToken token = awaitLeader(leader);
        Election follower = launch("second", lease);
        Awaitility.await().atMost(SOON).until(() -> follower.leader().isPresent());
        return new Pair(leader, token, follower);
    }

    private static FencingToken awaitLeader(Election election) {
        Awaitility.await().atMost(SOON).until(election::isLeader);
        return election.leadership().map(Leadership::token).orElseThrow();
    }

    @Test
    void a_leader_stays_while_any_one_member_is_killed_or_hangs_and_another_one_leads_etcd() throws Exception {
        Pair nodes = launchTwo(Duration.ofSeconds(5));
        for (int i = 0; i < members.size(); i++) {
            EtcdServer.moveLeader(members);
            Renewals.await(nodes.leader(), nodes.token(), RENEWALS);
        }
        for (EtcdServer member : members) {
            member.kill();
            Renewals.await(nodes.leader(), nodes.token(), RENEWALS);
            member.start();
            member.awaitHealth();
        }
        // Each process has a connection to at least one of them.
        for (EtcdServer member : members.subList(0, 2)) {
            member.freeze();
            Renewals.await(nodes.leader(), nodes.token(), RENEWALS);
            member.thaw();
            member.awaitHealth();
        }
        assertThat(nodes.follower().isLeader()).isFalse();
    }

    @Test
    void a_leader_stays_while_any_one_member_is_cut_off_from_the_others_but_not_from_clients() throws Exception {
        Pair nodes = launchTwo(Duration.ofSeconds(8));
        for (EtcdServer member : members) {
            EtcdServer.reach(members, member, Conditions.CUT);
            Awaitility.await().atMost(SOON).until(() -> !member.isHealthy());
            Renewals.await(nodes.leader(), nodes.token(), RENEWALS);
            EtcdServer.reach(members, member, Conditions.FINE);
            member.awaitHealth();
        }
        assertThat(nodes.follower().isLeader()).isFalse();
    }

    @Test
    void without_a_majority_nobody_leads_after_the_lease_and_nothing_is_lost_when_it_is_back() {
        Duration lease = Duration.ofSeconds(3);
        Pair nodes = launchTwo(lease);
        Election first = nodes.leader();
        Election second = nodes.follower();
        members.get(1).kill();
        members.get(2).kill();
        Awaitility.await().atMost(lease.plusSeconds(2)).until(() -> !first.isLeader());
        Awaitility.await()
                .during(lease.plusSeconds(1))
                .atMost(SOON)
                .until(() -> !first.isLeader() && !second.isLeader());
        members.get(1).start();
        members.get(2).start();
        Awaitility.await().atMost(SOON).until(() -> first.isLeader() || second.isLeader());
        Election next = first.isLeader() ? first : second;
        assertThat(awaitLeader(next).value()).isGreaterThan(nodes.token().value());
    }
}
