package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Requests of many elections share a connection, and the end of it. */
@RealTime
class GivenUpConnectionTest {

    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration TIMEOUT = LEASE.dividedBy(8);

    @Test
    void a_request_that_ends_with_the_connection_says_what_the_connection_was_given_up_for() throws Exception {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(server.uri()), "given-up", LEASE)) {
            Nodes.await("a connection")
                    .until(() -> read(store, "first").get(20, TimeUnit.SECONDS) instanceof ReadReply.Read);
            server.freeze();
            try {
                CompletableFuture<ReadReply> first = read(store, "first");
                TimeUnit.MILLISECONDS.sleep(TIMEOUT.toMillis() / 2);
                CompletableFuture<ReadReply> second = read(store, "second");

                assertThat(problem(first)).isEqualTo(StoreProblem.TIMED_OUT);
                assertThat(problem(second)).isEqualTo(StoreProblem.TIMED_OUT);
            } finally {
                server.thaw();
            }
        }
    }

    private static CompletableFuture<ReadReply> read(RedisLeaseStore store, String election) {
        return store.read(election).toCompletableFuture();
    }

    private static StoreProblem problem(CompletableFuture<ReadReply> reply) throws Exception {
        return ((NoAnswer) reply.get(20, TimeUnit.SECONDS)).problem();
    }
}
