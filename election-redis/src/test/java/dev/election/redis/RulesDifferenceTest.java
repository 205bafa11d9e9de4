package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.testing.Opened;
import dev.election.testing.RedisServer;
import dev.election.testing.Thorough;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scripts and the rules in Java give the same answers to the same requests, publish the same and leave the same behind, whatever befalls
 * the keys in between.
 */
@Thorough
class RulesDifferenceTest {

    private static final int HISTORIES = 500;

    /** Each in a database of its own: either side mostly waits for the other. */
    private static final int PARTS = 2;

    @AutoClose
    private static final Opened opened = new Opened();

    private static final RedisServer server = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));
    private static final RedisClient client = opened.add(RedisClient.create(server.uri()));
    private static final StatefulRedisConnection<String, String> connection = opened.add(client.connect());

    @Test
    void scripts_and_rules_agree_on_every_request_near_every_end_with_every_guard_taking_effect_and_not() {
        List<RulesComparison> parts = IntStream.range(0, PARTS)
                .mapToObj(part -> new RulesComparison(database(part), LuaScript::source, null))
                .toList();
        CompletableFuture.allOf(parts.stream()
                        .map(part -> CompletableFuture.runAsync(() -> assertNoDifference(part, parts.indexOf(part))))
                        .toArray(CompletableFuture[]::new))
                .join();
        long requests = parts.stream().mapToLong(RulesComparison::requests).sum();
        assertThat(requests).as("requests").isGreaterThanOrEqualTo(100_000);
        assertThat(parts.stream().mapToLong(RulesComparison::nearAnEnd).sum())
                .as("requests within 2 ms of an end, of " + requests)
                .isGreaterThanOrEqualTo(requests * 3 / 10);
        GuardCounts guards = new GuardCounts();
        parts.forEach(part -> guards.addAll(part.guards()));
        assertThat(guards.guards())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(guardsOfRules(), guardsOfScriptsAlone()).toList());
        assertThat(guards.rarerThan(1000))
                .as("guards that let pass, or took effect, less than 1,000 times")
                .isEmpty();
        assertThat(parts.stream().flatMap(part -> part.spoilt().stream()).distinct())
                .as("scripts that have met keys of another type")
                .hasSize(RandomRequests.OPERATIONS.length * SpoiltKey.values().length);
    }

    /** One part of all histories. */
    private static void assertNoDifference(RulesComparison comparison, int part) {
        int each = HISTORIES / PARTS;
        for (int seed = 1 + part * each; seed <= (part + 1) * each; seed++) {
            assertThat(comparison.run(seed)).as("seed " + seed).isEmpty();
        }
    }

    private static StatefulRedisConnection<String, String> database(int number) {
        StatefulRedisConnection<String, String> selected = client.connect();
        selected.sync().select(number);
        return selected;
    }

    @ParameterizedTest
    @MethodSource("guardsOfScripts")
    void a_guard_that_a_script_lacks_is_noticed(MissingGuard missing) {
        assertNoticed(new RulesComparison(connection, missing::source, null));
    }

    @ParameterizedTest
    @MethodSource("guardsOfRules")
    void a_guard_that_the_rules_lack_is_noticed(String guard) {
        assertNoticed(new RulesComparison(connection, LuaScript::source, guard));
    }

    static Stream<String> guardsOfRules() {
        return Stream.of(
                "campaign CANDIDACY",
                "campaign RESTORED",
                "campaign OVERDUE",
                "campaign CONNECTION",
                "campaign QUARANTINE",
                "campaign DELETED",
                "campaign INCARNATION",
                "campaign CLOCK",
                "renew OWNER",
                "renew TOKEN",
                "renew NEWER",
                "renew EXPIRY",
                "renew SUPERSEDED",
                "renew CLOSED",
                "renew AFTERMATH",
                "renew INCARNATION",
                "renew CLOCK",
                "release OWNER",
                "release TOKEN",
                "release EXPIRY",
                "release SUPERSEDED",
                "release CLOSED",
                "release AFTERMATH",
                "release CLOCK",
                "evict TOKEN",
                "evict CLOSED",
                "evict CLOCK");
    }

    /** All but those that tell whether a server was a replica, which the test tells here, and whether it lets its user call, as it does here. */
    static Stream<MissingGuard> guardsOfScripts() {
        return MissingGuard.all()
                .filter(missing -> !missing.isOfMembers())
                .filter(missing -> !Set.of("replica", "unheard").contains(missing.guard()));
    }

    /** Those of the short way of a renewal, which the rules have no need of, and whether it is taken. */
    private static Stream<String> guardsOfScriptsAlone() {
        return Stream.concat(
                Stream.of("renew is_as_left"),
                guardsOfScripts()
                        .filter(missing -> missing.guard().startsWith("unchanged_"))
                        .map(MissingGuard::toString));
    }

    private static void assertNoticed(RulesComparison comparison) {
        for (int seed = 1; seed <= HISTORIES; seed++) {
            if (!comparison.run(seed).isEmpty()) {
                return;
            }
        }
        throw new AssertionError("No difference in " + comparison.requests() + " requests");
    }
}
