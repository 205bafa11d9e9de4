package dev.election.redis.internal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.connection.ReconnectPauses;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.KillArgs;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Whether a connection is alive is one question for all elections that share it. */
@RealTime
class ConnectionHealthTest {

    private static final Duration LEASE = Duration.ofSeconds(20);

    /** Longer than any pause of the machine. */
    private static final Duration TIMEOUT = LEASE.dividedBy(8);

    private static final LuaScript ANSWER = new LuaScript("answer", "return {'answer'}");

    /** So long that Redis reads and answers each request by itself. */
    private static final String LONG_TEXT = "x".repeat(100_000);

    /** Keeps the server busy for as many milliseconds as are said. */
    private static final LuaScript SPIN = new LuaScript(
            "spin",
            "local function now() local t = redis.call('TIME')"
                    + " return t[1] * 1000 + t[2] / 1000 end"
                    + " local till = now() + ARGV[1] repeat until now() >= till return {'done'}");

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void an_election_that_waits_while_others_are_answered_does_not_cost_all_of_them_their_connection() {
        try (RedisRequests requests = connected(true)) {
            long before = Lettuce.connectionsMade(server.uri());
            String each = Long.toString(TIMEOUT.toMillis() * 4 / 10);
            List<CompletableFuture<List<String>>> replies = IntStream.range(0, 5)
                    .mapToObj(i -> run(requests, "election-" + i, SPIN, each, LONG_TEXT))
                    .toList();
            assertThat(replies).allSatisfy(reply -> assertThat(reply.join()).containsExactly("done"));
            assertThat(Lettuce.connectionsMade(server.uri()) - before)
                    .as("but for this look")
                    .isEqualTo(1);
        }
    }

    @Test
    void a_process_that_stood_still_reads_what_has_arrived_before_it_suspects() throws Exception {
        try (RedisRequests requests = connected(true)) {
            StatefulConnection<String, String> first = requests.connection().join();
            long before = Lettuce.connectionsMade(server.uri());
            CountDownLatch standing = new CountDownLatch(1);
            CountDownLatch sent = new CountDownLatch(1);
            CompletableFuture<Void> stall = standStill(requests, standing, sent);
            await(standing);
            CompletableFuture<List<String>> meanwhile = run(requests, "b", ANSWER);
            sent.countDown();
            stall.join();
            assertThat(meanwhile.get(20, TimeUnit.SECONDS)).containsExactly("answer");
            assertThat(requests.connection().join()).isSameAs(first);
            assertThat(Lettuce.connectionsMade(server.uri()) - before)
                    .as("but for this look")
                    .isEqualTo(1);
        }
    }

    @Test
    void a_process_that_stood_still_waits_once_more_for_what_has_not_arrived_yet() throws Exception {
        try (RedisRequests requests = connected(true)) {
            long before = Lettuce.connectionsMade(server.uri());
            CountDownLatch standing = new CountDownLatch(1);
            CountDownLatch sent = new CountDownLatch(1);
            CompletableFuture<Void> stall = standStill(requests, standing, sent);
            await(standing);
            // Stood still with the process, as on one machine.
            server.freeze();
            CompletableFuture<List<String>> meanwhile = run(requests, "b", ANSWER);
            sent.countDown();
            stall.join();
            server.thaw();
            assertThat(meanwhile.get(20, TimeUnit.SECONDS)).containsExactly("answer");
            assertThat(Lettuce.connectionsMade(server.uri()) - before)
                    .as("but for this look")
                    .isEqualTo(1);
        }
    }

    @Test
    void after_a_kill_a_leader_connects_at_once_and_followers_at_different_moments() {
        List<RedisRequests> followers = new ArrayList<>();
        try (RedisRequests leader = connected(true)) {
            IntStream.range(0, 12).forEach(i -> followers.add(connected(false)));
            List<RedisRequests> all = new ArrayList<>(followers);
            all.add(0, leader);
            List<StatefulConnection<String, String>> old =
                    all.stream().map(one -> one.connection().join()).toList();
            // Not of those whose connection has just been made.
            Nodes.await("connections that have lasted").until(() -> IntStream.range(0, all.size())
                    .allMatch(i -> all.get(i).age(old.get(i)).compareTo(ReconnectPauses.longest()) > 0));
            server.call(redis -> redis.clientKill(KillArgs.Builder.typeNormal().skipme()));
            long killed = System.nanoTime();
            List<Long> back = new ArrayList<>(Collections.nCopies(all.size(), null));
            Nodes.await("all").until(() -> {
                IntStream.range(0, all.size())
                        .filter(i -> back.get(i) == null && isAnother(all.get(i), old.get(i)))
                        .forEach(i -> back.set(i, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed)));
                return !back.contains(null);
            });
            List<Long> sorted = back.subList(1, back.size()).stream().sorted().toList();
            assertThat(sorted.get(sorted.size() - 1) - sorted.get(0))
                    .as("milliseconds between the first and the last of %s", sorted)
                    .isGreaterThan(150);
            assertThat(back.get(0)).as("the leader, of %s", back).isLessThan(sorted.get(sorted.size() / 2));
        } finally {
            followers.forEach(RedisRequests::close);
        }
    }

    @Test
    void after_a_kill_of_both_its_connections_a_process_makes_two() {
        List<RedisLeaseStore> stores = new ArrayList<>();
        try {
            IntStream.range(0, 10)
                    .forEach(i -> stores.add(RedisLeaseStore.open(RedisAccess.at(server.uri()), "e", LEASE)));
            stores.forEach(store -> store.listen("default", event -> {}));
            Nodes.await("both connections of each").until(() -> clients("sub=1") == 10 && clients("sub=0") == 11);
            stores.forEach(store ->
                    assertThat(store.checkUp().toCompletableFuture().join()).isNotNull());
            // Until then a connection counts as one that broke as soon as it was used.
            standFor(ReconnectPauses.longest());
            long before = Lettuce.connectionsMade(server.uri());
            server.call(redis -> redis.clientKill(KillArgs.Builder.skipme()));
            // That of the kill, and that of the last look.
            int[] ofThisTest = {2};
            Nodes.await("both connections of each").until(() -> {
                ofThisTest[0]++;
                String all = clients();
                return of("sub=1", all) == 10 && of("sub=0", all) == 11;
            });
            standFor(ReconnectPauses.longest());
            assertThat(Lettuce.connectionsMade(server.uri()) - before - ofThisTest[0])
                    .as("connections made by ten processes")
                    .isEqualTo(20);
        } finally {
            stores.forEach(RedisLeaseStore::close);
        }
    }

    /** Replies are told on the thread that reads them, which then reads no other. */
    private CompletableFuture<Void> standStill(RedisRequests requests, CountDownLatch standing, CountDownLatch sent) {
        // Or the reply is there already, and told on this thread.
        server.freeze();
        CompletableFuture<Void> stall = run(requests, "a", ANSWER).thenAccept(reply -> {
            standing.countDown();
            await(sent);
            standFor(TIMEOUT.multipliedBy(2));
        });
        server.thaw();
        return stall;
    }

    private static boolean isAnother(RedisRequests requests, StatefulConnection<String, String> old) {
        CompletableFuture<StatefulConnection<String, String>> now = requests.connection();
        return now.isDone() && !now.isCompletedExceptionally() && now.join() != old;
    }

    private RedisRequests connected(boolean mayLead) {
        RedisRequests requests = RedisRequests.open(RedisAccess.at(server.uri()), LEASE, () -> mayLead);
        // On a busy machine the first may take too long.
        Nodes.await("an answer").until(() -> run(requests, "first", ANSWER)
                .thenCombine(run(requests, "first", SPIN, "0"), (one, other) -> true)
                .exceptionally(failure -> false)
                .join());
        return requests;
    }

    private static CompletableFuture<List<String>> run(
            RedisRequests requests, String subject, LuaScript script, String... arguments) {
        return requests.run(subject, script, new String[] {subject}, arguments).toCompletableFuture();
    }

    private long clients(String kind) {
        return of(kind, clients());
    }

    /** One of them is made to ask. */
    private String clients() {
        return server.call(redis -> redis.clientList());
    }

    private static long of(String kind, String clients) {
        return clients.lines()
                .filter(client -> client.contains(" " + kind + " "))
                .count();
    }

    private static void standFor(Duration time) {
        try {
            TimeUnit.NANOSECONDS.sleep(time.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
