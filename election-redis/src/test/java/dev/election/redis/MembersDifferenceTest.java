package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.record.AtomicMembers;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.RosterVersion;
import dev.election.testing.Opened;
import dev.election.testing.RedisServer;
import dev.election.testing.Thorough;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The scripts of the members and the rules that the simulation runs give the same answers to the same requests, publish the same and leave the
 * same behind, whatever befalls the keys in between.
 */
@Thorough
class MembersDifferenceTest {

    private static final int HISTORIES = 150;
    private static final int REQUESTS = 200;
    private static final int MEMBERS = 9;
    private static final long GONE_FOR = 600_000;

    @AutoClose
    private static final Opened opened = new Opened();

    private static final RedisServer server = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));
    private static final RedisClient client = opened.add(RedisClient.create(server.uri()));
    private static final StatefulRedisConnection<String, String> connection = opened.add(client.connect());

    @Test
    void scripts_and_rules_agree_on_every_request() {
        LuaMembers lua = new LuaMembers(connection, LuaScript::source);
        for (int seed = 1; seed <= HISTORIES; seed++) {
            assertThat(new History(lua, seed).difference()).as("seed " + seed).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("guards")
    void a_guard_that_a_script_lacks_is_noticed(MissingGuard missing) {
        LuaMembers lua = new LuaMembers(connection, missing::source);
        for (int seed = 1; seed <= HISTORIES; seed++) {
            if (!new History(lua, seed).difference().isEmpty()) {
                return;
            }
        }
        throw new AssertionError("No difference in " + HISTORIES * REQUESTS + " requests");
    }

    /** All but those of keys that expire and of formats, which the rules know nothing of. */
    static Stream<MissingGuard> guards() {
        return MissingGuard.all().filter(MissingGuard::isOfMembers).filter(missing -> !List.of("kept", "format")
                .contains(missing.guard()));
    }

    private static final class History {

        private final LuaMembers lua;
        private final Random random;
        private final List<MemberNews> published = new ArrayList<>();
        private final AtomicMembers rules;
        private final Map<String, RosterVersion> versions = new HashMap<>();
        private long now = 1_800_000_000_000L;
        private String incarnation = "1";

        History(LuaMembers lua, long seed) {
            this.lua = lua;
            this.random = new Random(seed);
            this.rules = new AtomicMembers(() -> now, published::add, new AtomicMembers.Limits(3, 6, 200, 4, GONE_FOR));
        }

        /** The first, with the requests before it; nothing if there is none. */
        List<String> difference() {
            lua.begin();
            rules.become(incarnation);
            List<String> story = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                now = nextMoment();
                befall(story);
                published.clear();
                List<String> found = new ArrayList<>();
                if (random.nextInt(6) == 0) {
                    String instance = instance();
                    story.add(now + " leaves: " + instance);
                    rules.leave(instance);
                    lua.leave(instance, now, incarnation);
                } else {
                    BeatRequest request = beat();
                    story.add(now + " " + request);
                    BeatReply expected = rules.beat(request);
                    versions.put(request.instance(), ((BeatReply.Beaten) expected).version());
                    compare(found, "reply", expected, lua.beat(request, now, incarnation));
                }
                LuaMembers.Left left = lua.left();
                compare(found, "published", published, left.published());
                compare(found, "keys", rules.keys(), left.keys());
                if (!found.isEmpty()) {
                    found.addAll(0, story.subList(Math.max(0, story.size() - 5), story.size()));
                    return found;
                }
            }
            return List.of();
        }

        private static void compare(List<String> found, String what, Object java, Object lua) {
            if (!java.equals(lua)) {
                found.add(what + " in Java: " + java);
                found.add(what + " in Lua:  " + lua);
            }
        }

        /** Mostly soon, often just about an end, now and then long after it or back. */
        private long nextMoment() {
            Map<String, Map<String, String>> keys = rules.keys();
            List<Long> ends = new ArrayList<>();
            keys.get("ends").values().forEach(end -> ends.add(Long.parseLong(end)));
            keys.get("gone").values().forEach(gone -> ends.add(Long.parseLong(gone) + GONE_FOR));
            int what = random.nextInt(100);
            if (what < 40 && !ends.isEmpty()) {
                long end = ends.get(random.nextInt(ends.size()));
                return Math.max(now, end + random.nextInt(-1, 2));
            }
            if (what < 43) {
                return now - random.nextInt(20_000);
            }
            return now + random.nextInt(what < 46 ? 700_000 : 300);
        }

        private void befall(List<String> story) {
            if (random.nextInt(25) == 0) {
                String key =
                        List.of("roster", "texts", "ends", "versions", "gone").get(random.nextInt(5));
                story.add("lost: " + key);
                rules.lose(key);
                lua.lose(key);
            }
            if (random.nextInt(40) == 0) {
                incarnation = Integer.toString(random.nextInt(3));
                story.add("incarnation " + incarnation);
                rules.become(incarnation);
            }
        }

        private String instance() {
            int member = random.nextInt(MEMBERS);
            return (member == 0 ? MemberStore.ORDER : "m") + member;
        }

        private BeatRequest beat() {
            String instance = instance();
            String text =
                    random.nextInt(3) == 0 ? "x".repeat(random.nextInt(90)) : "id=" + instance + "\nrole.e=LEADER";
            Duration lasts = Duration.ofMillis(
                    instance.startsWith(MemberStore.ORDER) ? 90_000 : random.nextInt(4) == 0 ? 9_000 : 3_000);
            return new BeatRequest(instance, text, lasts, known(instance));
        }

        private RosterVersion known(String instance) {
            RosterVersion known = versions.getOrDefault(instance, RosterVersion.NONE);
            return switch (random.nextInt(12)) {
                case 0 -> RosterVersion.NONE;
                case 1 -> new RosterVersion(known.roster(), random.nextInt(40), known.begun());
                case 2 -> new RosterVersion(known.roster(), known.number(), random.nextInt(40));
                default -> known;
            };
        }
    }
}
