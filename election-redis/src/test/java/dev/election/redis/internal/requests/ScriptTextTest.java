package dev.election.redis.internal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.harness.RedisProcess;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.failure.Failures;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a script says travels once for all who wait for it. */
@OtherServers
class ScriptTextTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final LuaScript APPEND =
            new LuaScript("append", "redis.call('RPUSH', KEYS[1], ARGV[1]) return {'appended'}");
    private static final LuaScript REMOVE = new LuaScript("remove", "redis.call('DEL', KEYS[1]) return {'removed'}");

    @Test
    void two_hundred_requests_after_a_flush_send_the_text_once_and_are_run_once_in_their_order() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisRequests requests = connected(RedisAccess.at(server.uri()), "list")) {
            server.call(redis -> redis.scriptFlush());
            server.call(redis -> redis.configResetstat());
            List<CompletableFuture<List<String>>> replies;
            server.freeze();
            try {
                replies = append(requests, "list", 200);
            } finally {
                server.thaw();
            }
            assertThat(replies).allSatisfy(reply -> assertThat(reply.join()).containsExactly("appended"));
            assertThat(server.<List<String>>call(redis -> redis.lrange("list", 0, -1)))
                    .isEqualTo(numbers(200));
            assertThat(calls(server.uri(), "eval")).isEqualTo(1);
            assertThat(calls(server.uri(), "evalsha")).isEqualTo(200 + 199);
        }
    }

    @Test
    void each_of_several_scripts_is_told_once_and_none_overtakes_another() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);
                RedisRequests requests = connected(RedisAccess.at(server.uri()), "list")) {
            server.call(redis -> redis.scriptFlush());
            server.call(redis -> redis.configResetstat());
            CompletableFuture<List<String>> last;
            server.freeze();
            try {
                append(requests, "other", 10);
                append(requests, "list", 10);
                last = requests.run("list", REMOVE, new String[] {"list"}).toCompletableFuture();
                append(requests, "other", 10);
            } finally {
                server.thaw();
            }
            assertThat(last.join()).containsExactly("removed");
            assertThat(server.<Long>call(redis -> redis.exists("list"))).isZero();
            assertThat(calls(server.uri(), "eval")).isEqualTo(2);
        }
    }

    @Test
    void where_the_text_is_refused_each_request_hears_so_by_itself() {
        try (RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0)) {
            server.call(redis -> redis.aclSetuser(
                    "mute",
                    AclSetuserArgs.Builder.on()
                            .addPassword("secret")
                            .allKeys()
                            .allCommands()
                            .removeCommand(CommandType.EVAL)));
            RedisURI mute = RedisURI.builder(server.uri())
                    .withAuthentication("mute", "secret")
                    .build();
            try (RedisRequests requests = RedisRequests.open(RedisAccess.at(mute), LEASE, () -> true)) {
                Nodes.await("a connection").until(() -> requests.connection()
                        .handle((connection, failure) -> failure == null)
                        .join());
                assertThat(append(requests, "list", 20)).allSatisfy(reply -> assertThat(reply.handle((text, failure) ->
                                        Failures.noAnswer(failure).problem())
                                .join())
                        .isEqualTo(StoreProblem.FORBIDDEN));
                server.call(redis ->
                        redis.aclSetuser("mute", AclSetuserArgs.Builder.on().addCommand(CommandType.EVAL)));
                assertThat(append(requests, "list", 1).get(0).join()).containsExactly("appended");
            }
        }
    }

    @Test
    void in_a_Cluster_each_node_is_told_by_itself() {
        String here = "{here}:list";
        String elsewhere = "{elsewhere}:list";
        try (RedisCluster cluster = RedisCluster.start();
                RedisRequests requests = connected(RedisAccess.toCluster(Lettuce.uris(cluster)), here, elsewhere)) {
            List<RedisProcess> owners = List.of(cluster.owner(here), cluster.owner(elsewhere));
            assertThat(owners).doesNotHaveDuplicates();
            List<RedisURI> uris = Lettuce.uris(cluster).stream()
                    .filter(uri -> owners.stream().anyMatch(owner -> owner.port() == uri.getPort()))
                    .toList();
            uris.forEach(uri -> Lettuce.call(uri, redis -> redis.scriptFlush()));
            uris.forEach(uri -> Lettuce.call(uri, redis -> redis.configResetstat()));
            owners.forEach(RedisProcess::freeze);
            List<CompletableFuture<List<String>>> replies;
            try {
                replies = append(requests, here, 50);
                replies.addAll(append(requests, elsewhere, 50));
            } finally {
                owners.forEach(RedisProcess::thaw);
            }
            assertThat(replies).allSatisfy(reply -> assertThat(reply.join()).containsExactly("appended"));
            assertThat(uris).allSatisfy(uri -> assertThat(calls(uri, "eval")).isEqualTo(1));
        }
    }

    private static RedisRequests connected(RedisAccess access, String... keys) {
        RedisRequests requests = RedisRequests.open(access, LEASE, () -> true);
        // On a busy machine the first may take too long.
        List.of(keys).forEach(key -> Nodes.await("an answer").until(() -> requests.run(key, REMOVE, new String[] {key})
                .toCompletableFuture()
                .handle((reply, failure) -> failure == null)
                .join()));
        return requests;
    }

    private static List<CompletableFuture<List<String>>> append(RedisRequests requests, String key, int count) {
        return numbers(count).stream()
                .map(number ->
                        requests.run(key, APPEND, new String[] {key}, number).toCompletableFuture())
                .collect(Collectors.toList());
    }

    private static List<String> numbers(int count) {
        return IntStream.range(0, count).mapToObj(Integer::toString).toList();
    }

    private static long calls(RedisURI uri, String command) {
        return Lettuce.call(uri, redis -> redis.info("commandstats"))
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":calls="))
                .mapToLong(line -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
                .findFirst()
                .orElse(0);
    }
}
