package dev.election.redis;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.redis.connection.Failures;
import dev.election.redis.connection.LuaScript;
import dev.election.store.Decision;
import dev.election.store.ElectionRecord;
import dev.election.store.ElectionRecord.Lease;
import dev.election.store.ReadReply;
import dev.election.store.StoreMoment;
import dev.election.testing.RedisBinary;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scripts and the rules in Java give the same answers to the same requests, publish the same and leave the same behind, whatever befalls
 * the keys in between.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("slow")
class RulesDifferenceTest {

    private static final int HISTORIES = 460;
    private static final int REQUESTS_OF_EACH = 270;

    /** Each in a database of its own: either side mostly waits for the other. */
    private static final int PARTS = 2;

    /** How many requests Redis may be behind: what comes next depends on the rules alone. */
    private static final int UNDER_WAY = 50;

    private static final int REMEMBERED = 3;
    private static final Duration COMEBACK = Duration.ofMillis(950);
    private static final Pattern MARK = Pattern.compile("-- guard: (\\w+)");

    private static RedisServer server;
    private static RedisClient client;
    private static StatefulRedisConnection<String, String> connection;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start(RedisBinary.REDIS_7_0);
        client = RedisClient.create(server.uri());
        connection = client.connect();
    }

    @AfterAll
    static void stopServer() {
        connection.close();
        client.shutdown();
        server.close();
    }

    @Test
    void scripts_and_rules_agree_on_every_request_near_every_end_with_every_guard_taking_effect_and_not() {
        List<Comparison> parts = IntStream.range(0, PARTS)
                .mapToObj(part ->
                        new Comparison(new CountedRules(REMEMBERED, COMEBACK, null), LuaScript::source, database(part)))
                .toList();
        CompletableFuture.allOf(parts.stream()
                        .map(part -> CompletableFuture.runAsync(() -> assertNoDifference(part, parts.indexOf(part))))
                        .toArray(CompletableFuture[]::new))
                .join();
        long requests = parts.stream().mapToLong(part -> part.requests).sum();
        assertThat(requests).as("requests").isGreaterThanOrEqualTo(100_000);
        assertThat(parts.stream().mapToLong(part -> part.nearAnEnd).sum())
                .as("requests within 2 ms of an end, of " + requests)
                .isGreaterThanOrEqualTo(requests * 3 / 10);
        Map<String, long[]> counts = new TreeMap<>();
        parts.forEach(part -> part.rules
                .counts()
                .forEach((guard, found) ->
                        counts.merge(guard, found, (one, other) -> new long[] {one[0] + other[0], one[1] + other[1]})));
        assertThat(counts.keySet())
                .containsExactlyInAnyOrderElementsOf(guardsOfRules().toList());
        assertThat(counts.entrySet().stream()
                        .filter(guard -> Math.min(guard.getValue()[0], guard.getValue()[1]) < 1000)
                        .map(guard -> guard.getKey() + " " + Arrays.toString(guard.getValue())))
                .as("guards that had no effect, or an effect, on less than 1,000 requests")
                .isEmpty();
    }

    /** One part of all histories. */
    private static void assertNoDifference(Comparison comparison, int part) {
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
    void a_guard_that_a_script_lacks_is_noticed(String script, String guard) {
        assertNoticed(new CountedRules(REMEMBERED, COMEBACK, null), name -> without(name, script, guard));
    }

    @ParameterizedTest
    @MethodSource("guardsOfRules")
    void a_guard_that_the_rules_lack_is_noticed(String guard) {
        assertNoticed(new CountedRules(REMEMBERED, COMEBACK, guard), LuaScript::source);
    }

    static Stream<String> guardsOfRules() {
        return Stream.of(
                "campaign CANDIDACY",
                "campaign RESTORED",
                "campaign OVERDUE",
                "campaign CONNECTION",
                "campaign QUARANTINE",
                "campaign DELETED",
                "campaign COMEBACK",
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

    /** All but the one that tells whether a server was a replica: here the test tells that. */
    static Stream<String[]> guardsOfScripts() {
        return Stream.concat(ScriptSet.SHARED.stream(), ScriptSet.NAMES.stream())
                .flatMap(script -> MARK.matcher(LuaScript.source(script))
                        .results()
                        .map(found -> found.group(1))
                        .distinct()
                        .filter(guard -> !guard.equals("replica"))
                        .map(guard -> new String[] {script, guard}));
    }

    private static void assertNoticed(CountedRules rules, UnaryOperator<String> source) {
        Comparison comparison = new Comparison(rules, source, connection);
        for (int seed = 1; seed <= HISTORIES; seed++) {
            if (!comparison.run(seed).isEmpty()) {
                return;
            }
        }
        throw new AssertionError("No difference in " + comparison.requests + " requests");
    }

    private static String without(String name, String script, String guard) {
        String text = LuaScript.source(name);
        return name.equals(script)
                ? text.lines()
                        .filter(line -> !line.contains("-- guard: " + guard))
                        .collect(joining("\n", "", "\n"))
                : text;
    }

    /** Runs the same history of requests and faults on both sides. */
    private static final class Comparison {

        private final CountedRules rules;
        private final LuaElection lua;
        private long requests;
        private long nearAnEnd;

        private Comparison(
                CountedRules rules, UnaryOperator<String> source, StatefulRedisConnection<String, String> connection) {
            this.rules = rules;
            this.lua = new LuaElection(connection, source, REMEMBERED, COMEBACK);
        }

        /** What the first difference looks like, with the last requests before it; nothing if there is none. */
        private List<String> run(int seed) {
            String election = "e" + seed;
            RandomRequests random = new RandomRequests(seed, election);
            ElectionRecord record = ElectionRecord.EMPTY;
            List<ElectionRecord> earlier = new ArrayList<>();
            List<Supplier<String>> story = new ArrayList<>();
            Queue<Awaited> awaited = new ArrayDeque<>();
            lua.begin(election, seed % 2 == 0);
            for (int i = 0; i < REQUESTS_OF_EACH; i++) {
                if (random.upTo(8) == 0) {
                    record = fault(random, record, earlier);
                    lua.write(record);
                    ElectionRecord left = record;
                    story.add(() -> "fault: " + left);
                }
                if (random.upTo(10) == 0) {
                    earlier.add(record);
                }
                StoreMoment moment = random.next(record);
                if (random.upTo(60) == 0) {
                    record = spoilt(random, record, moment, story);
                    continue;
                }
                Outcome outcome = ask(random, record, moment);
                story.add(() -> moment + " " + outcome.request);
                requests++;
                nearAnEnd += random.wasNearAnEnd() ? 1 : 0;
                record = outcome.decision.record();
                awaited.add(
                        new Awaited(outcome, List.copyOf(story.subList(Math.max(0, story.size() - 4), story.size()))));
                List<String> found = awaited.size() < UNDER_WAY ? List.of() : difference(awaited.remove());
                if (!found.isEmpty()) {
                    return found;
                }
            }
            return awaited.stream()
                    .map(Comparison::difference)
                    .filter(found -> !found.isEmpty())
                    .findFirst()
                    .orElse(List.of());
        }

        private Outcome ask(RandomRequests random, ElectionRecord record, StoreMoment moment) {
            int what = random.upTo(100);
            String operation =
                    what < 40 ? "campaign" : what < 65 ? "renew" : what < 84 ? "release" : what < 97 ? "evict" : "read";
            rules.begin(operation);
            Outcome outcome =
                    switch (operation) {
                        case "campaign" -> {
                            var request = random.campaign(record);
                            yield new Outcome(
                                    request, rules.campaign(record, request, moment), lua.campaign(request, moment));
                        }
                        case "renew" -> {
                            var request = random.renew(record);
                            yield new Outcome(
                                    request, rules.renew(record, request, moment), lua.renew(request, moment));
                        }
                        case "release" -> {
                            var request = random.release(record);
                            yield new Outcome(
                                    request, rules.release(record, request, moment), lua.release(request, moment));
                        }
                        case "evict" -> {
                            var request = random.evict(record);
                            yield new Outcome(
                                    request, rules.evict(record, request, moment), lua.evict(request, moment));
                        }
                        default ->
                            new Outcome(
                                    "read",
                                    new Decision<>(
                                            record, new ReadReply.Read(rules.view(record, moment.millis())), List.of()),
                                    lua.read(moment));
                    };
            rules.end();
            return outcome;
        }

        private static List<String> difference(Awaited awaited) {
            Decision<?> decision = awaited.outcome.decision;
            LuaElection.Answer<?> answer = awaited.outcome.answer;
            List<String> found = new ArrayList<>();
            compare(found, "reply", decision.reply(), reply(answer));
            compare(found, "record", decision.record(), answer.record());
            compare(found, "published", decision.events(), answer.events());
            return found.isEmpty()
                    ? found
                    : Stream.concat(awaited.story.stream().map(Supplier::get), found.stream())
                            .toList();
        }

        private static void compare(List<String> found, String what, @Nullable Object java, @Nullable Object lua) {
            if (java == null || !java.equals(lua)) {
                found.add(what + " in Java: " + java);
                found.add(what + " in Lua:  " + lua);
            }
        }

        private ElectionRecord fault(RandomRequests random, ElectionRecord record, List<ElectionRecord> earlier) {
            ElectionRecord other = earlier.isEmpty() || random.upTo(3) > 0
                    ? ElectionRecord.EMPTY
                    : earlier.get(random.upTo(earlier.size()));
            if (random.upTo(2) == 0) {
                random.changeIncarnation();
            }
            return switch (random.upTo(9)) {
                case 0, 1 -> other;
                case 2 -> parts(other, record, record, record);
                case 3 -> parts(record, other, record, record);
                case 4 -> parts(record, record, other, record);
                case 5 -> parts(other, record, other, record);
                case 6 -> parts(other, other, record, other);
                case 7 -> parts(record, record, record, other);
                default -> underAnotherToken(record, random.upTo(2) * 2 - 1);
            };
        }

        /** As if the lease were of the grant before or after. */
        private static ElectionRecord underAnotherToken(ElectionRecord record, long change) {
            Lease lease = record.lease();
            return lease == null
                    ? record
                    : new ElectionRecord(
                            new Lease(
                                    lease.candidacy(),
                                    lease.node(),
                                    Math.max(1, lease.token() + change),
                                    lease.since(),
                                    lease.ends(),
                                    lease.length(),
                                    lease.visitor()),
                            record.epoch(),
                            record.lockDelay(),
                            record.queue(),
                            record.history());
        }

        private static ElectionRecord parts(
                ElectionRecord lease, ElectionRecord epoch, ElectionRecord lockDelay, ElectionRecord rest) {
            return new ElectionRecord(
                    lease.lease(), epoch.epoch(), lockDelay.lockDelay(), rest.queue(), rest.history());
        }

        /** A key of another kind is refused with an error that says so, and the answer is right again once it is gone. */
        private ElectionRecord spoilt(
                RandomRequests random, ElectionRecord record, StoreMoment moment, List<Supplier<String>> story) {
            int key = random.upTo(3);
            lua.spoil(key);
            Object refused = random.upTo(2) == 0
                    ? reply(lua.campaign(random.campaign(record), moment))
                    : reply(lua.renew(random.renew(record), moment));
            assertThat(refused).as("with key " + key + " spoilt").isEqualTo(StoreProblem.WRONG_TYPE);
            ElectionRecord left = new ElectionRecord(
                    key == 0 ? null : record.lease(),
                    key == 1 ? null : record.epoch(),
                    key == 2 ? null : record.lockDelay(),
                    record.queue(),
                    record.history());
            lua.write(left);
            story.add(() -> "spoilt key " + key);
            return left;
        }

        private static Object reply(LuaElection.Answer<?> answer) {
            try {
                return answer.reply();
            } catch (RedisCommandExecutionException refused) {
                return Failures.noAnswer(refused).problem();
            }
        }

        private record Outcome(Object request, Decision<?> decision, LuaElection.Answer<?> answer) {}

        /** What is to be compared as soon as Redis has answered, and what has happened up to it. */
        private record Awaited(Outcome outcome, List<Supplier<String>> story) {}
    }
}
