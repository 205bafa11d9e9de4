package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.RosterVersion;
import dev.election.store.test.MemberChangesContract;
import dev.election.store.test.MemberMessagingContract;
import dev.election.store.test.MemberReader;
import dev.election.testing.AnyRedis;
import dev.election.testing.Thorough;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The members over Redis, wherever that comes from. Time passes as all that is to expire comes nearer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class RedisMembersContract implements MemberChangesContract, MemberMessagingContract {

    /** Leaderships, of which there are none. */
    private static final int REMEMBERED = 1;

    private AnyRedis redis;
    private String prefix = "";
    private RedisLeaseStore store;

    /** The scripts to use. */
    ScriptSet scripts() {
        return ScriptSet.load();
    }

    /** Before all tests on it. */
    final void open(AnyRedis anyRedis) {
        this.redis = anyRedis;
    }

    /** After all tests. */
    final void close() {
        redis.close();
    }

    @BeforeEach
    void openStore() {
        prefix = "members-" + UUID.randomUUID();
        store = new RedisLeaseStore(
                redis.access(),
                Duration.ofSeconds(60),
                RedisSettings.of(RedisKeySpace.of(prefix)).history(REMEMBERED),
                scripts());
        store.listen("any", event -> {});
        while (ask(members().leave("nobody")) instanceof NoAnswer) {
            // Until there is a connection.
            hand().time();
        }
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"roster", "texts", "ends", "versions", "gone"})
    void a_key_of_another_type_is_named_and_nothing_is_changed(String spoilt) {
        register("a", "1");
        ask(members().leave("a"));
        register("b", "1");
        hand().del(key(spoilt));
        hand().set(key(spoilt), "spoilt");
        Map<String, byte[]> before = dumps();
        for (Object reply : new Object[] {
            ask(members().beat(new BeatRequest("c", "1", LONG, RosterVersion.NONE))),
            ask(members().leave("b"))
        }) {
            assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> {
                assertThat(none.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
                assertThat(none.action()).contains(key("roster")).contains(":versions");
            });
        }
        assertThat(dumps()).usingRecursiveComparison().isEqualTo(before);
    }

    @Test
    void keys_in_a_newer_format_are_refused() {
        register("a", "1");
        hand().hset(key("roster"), "format", "2");
        for (Object reply : new Object[] {
            ask(members().beat(new BeatRequest("c", "1", LONG, RosterVersion.NONE))),
            ask(members().leave("a"))
        }) {
            assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> assertThat(none.problem())
                    .isEqualTo(StoreProblem.NEWER_FORMAT));
        }
    }

    @Test
    void all_keys_expire_where_nobody_beats() {
        register("a", "1");
        ask(members().leave("a"));
        register("b", "1");
        assertThat(names().map(hand()::pttl)).allSatisfy(left -> assertThat(left)
                .isBetween(Duration.ofHours(23).toMillis(), Duration.ofHours(24).toMillis()));
    }

    @Test
    void keys_outlive_a_beat_that_lasts_for_longer_than_they_usually_do() {
        reader("a", Duration.ofDays(2)).beat("1");
        assertThat(hand().pttl(key("ends"))).isGreaterThan(Duration.ofDays(3).toMillis());
    }

    @Test
    void keys_outlive_a_beat_while_another_member_lasts_for_longer() {
        reader("a", Duration.ofDays(30)).beat("1");
        register("b", "1");
        ask(members().leave("b"));
        assertThat(names().map(hand()::pttl)).allSatisfy(left -> assertThat(left)
                .isGreaterThan(Duration.ofDays(30).toMillis()));
    }

    @Test
    void a_member_whose_end_lies_too_far_ahead_expires_after_its_time() {
        MemberReader other = reader("other");
        reader("dead", SHORT).beat("1");
        pass(Duration.ofHours(-1));
        other.beat("1");
        pass(SHORT.minusSeconds(5));
        other.beat("1");
        assertThat(other.texts()).containsOnlyKeys("dead", "other");
        pass(Duration.ofSeconds(5).plusMillis(2));
        other.beat("1");
        assertThat(other.texts()).containsOnlyKeys("other");
    }

    @Test
    void a_member_whose_end_lies_too_far_ahead_expires_after_its_time_also_beside_an_order_to_drain() {
        reader("drain:node", Duration.ofDays(30)).beat("1");
        pass(Duration.ofHours(2));
        MemberReader other = reader("other");
        reader("dead", SHORT).beat("1");
        pass(Duration.ofHours(-1));
        other.beat("1");
        pass(SHORT.plusMillis(2));
        other.beat("1");
        assertThat(other.texts()).containsOnlyKeys("drain:node", "other");
    }

    @Test
    void a_roster_key_that_is_lost_alone_is_another_list() {
        register("a", "1");
        MemberReader reader = member("reader");
        hand().del(key("roster"));
        assertThat(reader.beatOnce("1").isAll()).isTrue();
        assertThat(reader.texts()).containsOnlyKeys("a", "reader");
    }

    @Test
    void members_whose_versions_are_lost_are_seen_again_after_their_next_beat() {
        MemberReader a = member("a");
        hand().del(key("versions"));
        a.beat("1");
        MemberReader fresh = reader("fresh");
        fresh.beat("1");
        assertThat(fresh.texts()).containsOnlyKeys("a", "fresh");
    }

    @Thorough
    @Test
    void no_more_than_a_thousand_that_are_gone_are_remembered() {
        IntStream.range(0, 1050).forEach(i -> {
            register("m" + i, "x");
            ask(members().leave("m" + i));
        });
        register("last", "x");
        assertThat(hand().zcard(key("gone"))).isEqualTo(1000);
        assertThat(hand().zcard(key("versions"))).isEqualTo(1001);
        assertThat(hand().hlen(key("texts"))).isEqualTo(1001);
    }

    @Test
    void a_version_that_is_newer_than_the_list_is_that_of_data_that_was_lost() {
        MemberReader a = member("a");
        RosterVersion ahead = new RosterVersion(
                a.known().roster(), a.known().number() + 1, a.known().begun());
        assertThat(((Beaten) ask(members().beat(new BeatRequest("a", "1", LONG, ahead)))).isAll())
                .isTrue();
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public void pass(Duration time) {
        for (String set : new String[] {key("ends"), key("gone")}) {
            hand().zrange(set, 0, -1).forEach(member -> hand().zincrby(set, -time.toMillis(), member));
        }
    }

    @Override
    public void forget() {
        names().forEach(hand()::del);
    }

    private Map<String, byte[]> dumps() {
        Map<String, byte[]> dumps = new HashMap<>();
        names().filter(name -> hand().exists(name) > 0).forEach(name -> dumps.put(name, hand().dump(name)));
        return dumps;
    }

    private Stream<String> names() {
        return Stream.of("roster", "texts", "ends", "versions", "gone").map(this::key);
    }

    private String key(String what) {
        return prefix + ":{members}:" + what;
    }

    final RedisClusterCommands<String, String> hand() {
        return redis.hand();
    }
}
