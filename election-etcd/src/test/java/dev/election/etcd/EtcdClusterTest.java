package dev.election.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.harness.EtcdServer;
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

    private final List<EtcdServer> members = EtcdServer.cluster(3);
    private final TestNodes nodes = new TestNodes(members);

    @AfterEach
    void leave() throws Exception {
        nodes.close();
    }

    @AfterAll
    void close() {
        members.forEach(EtcdServer::close);
    }

    @Test
    void a_leader_stays_while_any_one_member_is_killed_or_hangs_and_another_one_leads_etcd() throws Exception {
        TestNodes.Pair pair = nodes.launchTwo(Duration.ofSeconds(8));
        for (int i = 0; i < members.size(); i++) {
            EtcdServer.moveLeader(members);
            Renewals.await(pair.leader(), pair.token(), RENEWALS);
        }
        for (EtcdServer member : members) {
            member.kill();
            Renewals.await(pair.leader(), pair.token(), RENEWALS);
            member.start();
            member.awaitHealth();
        }
        // Each process has a connection to at least one of them.
        for (EtcdServer member : members.subList(0, 2)) {
            member.freeze();
            Renewals.await(pair.leader(), pair.token(), RENEWALS);
            member.thaw();
            member.awaitHealth();
        }
        assertThat(pair.follower().isLeader()).isFalse();
    }

    @Test
    void without_a_majority_nobody_leads_after_the_lease_and_nothing_is_lost_when_it_is_back() {
        Duration lease = Duration.ofSeconds(3);
        TestNodes.Pair pair = nodes.launchTwo(lease);
        Election first = pair.leader();
        Election second = pair.follower();
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
        assertThat(TestNodes.awaitLeader(next).value())
                .isGreaterThan(pair.token().value());
    }
}
