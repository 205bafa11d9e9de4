package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.NodeInfo;
import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.StoreEvent;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store that is made while an application starts takes no time from it. */
@RealTime
class FirstUseTest {

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    @Test
    void a_store_begins_to_connect_when_it_is_first_asked() {
        try (RedisLeaseStore store = open()) {
            assertThat(threadsSinceBefore()).isEmpty();
            try (Subscription listening = store.listen("default", event -> {})) {
                assertThat(listening).isNotNull();
                assertThat(threadsSinceBefore()).contains("election-redis");
            }
        }
    }

    @Test
    @Timeout(10)
    void a_store_that_was_closed_before_anybody_asked_says_so() {
        RedisLeaseStore store = open();
        store.close();
        CampaignRequest request = new CampaignRequest(
                new Candidate("default", "candidacy", new NodeInfo("node", "address")),
                Duration.ofSeconds(15),
                0,
                Duration.ZERO);
        assertThat(store.campaign(request).toCompletableFuture().join())
                .isInstanceOfSatisfying(
                        NoAnswer.class, reply -> assertThat(reply.detail()).contains("closed"));
        assertThat(threadsSinceBefore()).isEmpty();
    }

    @Test
    void what_is_asked_before_there_is_a_connection_is_sent_in_that_order() {
        List<String> sent = IntStream.range(0, 20).mapToObj(Integer::toString).toList();
        List<String> heard = new CopyOnWriteArrayList<>();
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisLeaseStore ear = at(server);
                RedisLeaseStore store = at(server)) {
            List<StoreEvent> events = new CopyOnWriteArrayList<>();
            ear.listen("default", event -> {
                events.add(event);
                if (event instanceof StoreEvent.Received received
                        && received.message() instanceof NodeMessage.AbdicationHeard message) {
                    heard.add(message.request());
                }
            });
            Nodes.await("the subscription").until(() -> events.contains(new StoreEvent.Connected()));
            sent.forEach(request -> store.messaging()
                    .orElseThrow()
                    .announce("default", new NodeMessage.AbdicationHeard(request, Duration.ZERO)));
            Nodes.await("all messages").until(() -> heard.size() == sent.size());
        }
        assertThat(heard).isEqualTo(sent);
    }

    @Test
    void what_is_asked_before_there_is_a_connection_ends_with_the_store() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            server.freeze();
            try {
                RedisLeaseStore store = at(server);
                CompletableFuture<ReadReply> reply = store.read("default").toCompletableFuture();
                store.close();
                assertThat(reply.join()).isInstanceOfSatisfying(NoAnswer.class, none -> assertThat(none.detail())
                        .contains("closed"));
            } finally {
                server.thaw();
            }
        }
    }

    private static RedisLeaseStore at(RedisServer server) {
        return RedisLeaseStore.open(RedisAccess.at(server.uri()), "election", Duration.ofSeconds(8));
    }

    /** Where no server is. */
    private static RedisLeaseStore open() {
        RedisURI nowhere = RedisURI.create("127.0.0.1", Ports.free());
        return RedisLeaseStore.open(RedisAccess.at(nowhere), "election", Duration.ofSeconds(15));
    }

    private List<String> threadsSinceBefore() {
        Set<Thread> fresh = new HashSet<>(Thread.getAllStackTraces().keySet());
        fresh.removeAll(before);
        return fresh.stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("election-"))
                .toList();
    }
}
