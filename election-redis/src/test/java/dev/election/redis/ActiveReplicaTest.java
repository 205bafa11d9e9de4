package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.NodeInfo;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.NoAnswer;
import dev.election.testing.Nodes;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** No KeyDB is here: the scripts read a role that no Redis has. */
class ActiveReplicaTest {

    private static final Duration LEASE = Duration.ofSeconds(5);
    private static final Candidate CANDIDATE = new Candidate("e", "c", new NodeInfo("n", "n:80"));

    @Test
    void an_active_replica_grants_nothing_and_its_answer_says_what_to_do() {
        AtomicReference<CampaignReply> latest = new AtomicReference<>();
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisLeaseStore store = new RedisLeaseStore(
                        RedisAccess.at(server.uri()),
                        LEASE,
                        RedisSettings.of(RedisKeySpace.of("active")).history(1),
                        ScriptSet.of(ActiveReplicaTest::source))) {
            Nodes.await("its answer").until(() -> {
                CampaignReply reply = store.campaign(new CampaignRequest(CANDIDATE, LEASE, 0, Duration.ofMillis(1)))
                        .toCompletableFuture()
                        .join();
                latest.set(reply);
                return reply instanceof NoAnswer answer && answer.detail().contains("ACTIVEREPLICA");
            });
            assertThat(((NoAnswer) latest.get()).action())
                    .startsWith("the server is an active replica of KeyDB")
                    .contains("set active-replica to no");
            assertThat(server.<Long>call(redis -> redis.dbsize())).isZero();
        }
    }

    private static String source(String name) {
        String text = LuaScript.source(name);
        String asked = "redis.pcall('INFO', 'replication')";
        return name.equals("server") ? text.replace(asked, "'role:active-replica\\r\\nmaster_replid:ab\\r\\n'") : text;
    }
}
