package dev.election.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Conditions;
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

/** Whole nodes over three members of an etcd, one of which is cut off from the others, but not from the nodes. */
@OtherServers
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CutOffMemberTest {

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
    void a_leader_stays_while_any_one_member_is_cut_off_from_the_others_but_not_from_clients() throws Exception {
        TestNodes.Pair pair = nodes.launchTwo(Duration.ofSeconds(8));
        for (EtcdServer member : members) {
            EtcdServer.reach(members, member, Conditions.CUT);
            Awaitility.await().atMost(SOON).until(() -> !member.isHealthy());
            Renewals.await(pair.leader(), pair.token(), RENEWALS);
            EtcdServer.reach(members, member, Conditions.FINE);
            member.awaitHealth();
        }
        assertThat(pair.follower().isLeader()).isFalse();
    }
}
