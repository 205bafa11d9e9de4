package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.harness.Ports;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.harness.RedisProcess;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreRequest;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.Opened;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of several elections that are made at the same time travel together, and each has its own reply. */
@OtherServers
class TogetherTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final ElectionKeys KEYS = new ElectionKeys("together");

    /** Lets the script of several elections say that it took no time, so that as many as possible share one on every machine. */
    private static final UnaryOperator<String> QUICK = script -> script.replace("text(microseconds() - begun)", "'1'");

    private static final Pattern CALLS = Pattern.compile("cmdstat_eval(?:sha)?:calls=(\\d+)");

    @AutoClose
    private final Opened opened = new Opened();

    private final RedisServer server = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));
    private final RedisLeaseStore store =
            opened.add(open(RedisAccess.at(server.uri()), RedisKeySpace.of("together"), QUICK));

    @BeforeEach
    void open() {
        lead("warm-up");
    }

    @Test
    void a_bounded_number_of_campaigns_is_one_script() {
        List<String> elections = names(1000);
        campaignsTogether(store, elections);
        long before = scripts();
        List<CampaignReply> replies = campaignsTogether(store, elections);
        assertThat(scripts() - before).isEqualTo((long) (1000 * ProtocolScript.RENEWALS_FOR_ANOTHER / BatchSize.MOST));
        assertThat(replies).hasSize(1000).doesNotHaveAnyElementsOfTypes(NoAnswer.class);
    }

    @Test
    void a_redis_that_is_slow_with_a_script_gets_smaller_ones() {
        String slowly = "local since = microseconds() repeat until microseconds() - since > 1200 ";
        List<String> elections = names(60);
        try (RedisLeaseStore slow = open(
                RedisAccess.at(server.uri()),
                RedisKeySpace.of("slow"),
                script -> script.replace("local reply = run(name)", slowly + "local reply = run(name)"))) {
            campaignsTogether(slow, elections);
            Nodes.await("the smallest scripts").until(() -> {
                long before = scripts();
                campaignsTogether(slow, elections);
                return scripts() - before == (long) (60 * ProtocolScript.RENEWALS_FOR_ANOTHER / BatchSize.LEAST);
            });
        }
    }

    @Test
    void renewals_take_less_time_and_more_of_them_share_a_script() {
        List<String> elections = names(500);
        List<CampaignReply> grants = granted(elections);
        long before = scripts();
        assertThat(renewalsTogether(elections, grants)).hasOnlyElementsOfType(RenewReply.Renewed.class);
        assertThat(scripts() - before).isEqualTo(500 / BatchSize.MOST);
    }

    @Test
    void a_process_soon_renews_all_its_leases_with_one_request() {
        Duration lease = Duration.ofSeconds(3);
        List<String> elections = names(150);
        try (ElectionEngine engine =
                ElectionEngine.over(store).timing(Timing.ofLease(lease)).build()) {
            elections.forEach(engine::get);
            engine.start();
            Nodes.await("leadership of all").until(() -> engine.all().stream().allMatch(Election::isLeader));
            AtomicLong begun = new AtomicLong(System.nanoTime());
            AtomicLong before = new AtomicLong(scripts());
            Nodes.await("a lease in which each was renewed three times by three or four requests")
                    .until(() -> {
                        if (System.nanoTime() - begun.get() < lease.toNanos()) {
                            return false;
                        }
                        long count = scripts() - before.get();
                        begun.set(System.nanoTime());
                        before.addAndGet(count);
                        return count == 3 || count == 4;
                    });
            assertThat(engine.all()).allMatch(Election::isLeader);
        }
    }

    @Test
    void campaigns_renewals_and_releases_answer_as_if_each_had_come_alone() {
        CampaignReply.Granted first = lead("first");
        CampaignReply.Granted second = lead("second");
        lead("third");
        List<Object> replies = joined(List.of(
                renewal("first", first),
                campaign("third", "other"),
                release("second", second),
                renewal("second", second),
                campaign("first", "one")));
        assertThat(replies.get(0)).isInstanceOf(RenewReply.Renewed.class);
        assertThat(replies.get(1)).isInstanceOf(Held.class);
        assertThat(replies.get(2)).isInstanceOf(ReleaseReply.Released.class);
        assertThat(replies.get(3)).as("after its release").isInstanceOf(RenewReply.Lost.class);
        assertThat(replies.get(4))
                .isInstanceOfSatisfying(CampaignReply.Granted.class, again -> assertThat(again.token())
                        .isEqualTo(first.token()));
    }

    @Test
    void what_looks_like_the_sign_for_what_elections_have_in_common_arrives_as_it_was_sent() {
        List<String> candidacies = List.of("=", "=", "==", "a");
        List<CampaignRequest> campaigns = IntStream.range(0, candidacies.size())
                .mapToObj(i -> new Candidate("e" + i, candidacies.get(i), new NodeInfo("one", "one:80")))
                .map(candidate -> new CampaignRequest(candidate, LEASE, 0, Duration.ofMillis(1)))
                .toList();
        Nodes.await("a grant of each")
                .until(() -> joined(campaigns).stream().allMatch(CampaignReply.Granted.class::isInstance));
        for (int i = 0; i < candidacies.size(); i++) {
            String lease = KEYS.lease("e" + i);
            String candidacy = server.call(redis -> redis.hget(lease, "candidacy"));
            assertThat(candidacy).isEqualTo(candidacies.get(i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 199})
    void an_election_whose_keys_are_broken_fails_alone(int poisoned) {
        List<String> elections = names(200);
        List<CampaignReply> grants = granted(elections);
        server.call(redis -> redis.del(KEYS.epoch(elections.get(poisoned))));
        server.call(redis -> redis.set(KEYS.epoch(elections.get(poisoned)), "of another type"));
        long before = scripts();
        List<RenewReply> replies = renewalsTogether(elections, grants);
        assertThat(scripts() - before).isEqualTo(1);
        for (int i = 0; i < elections.size(); i++) {
            if (i == poisoned) {
                assertThat(replies.get(i))
                        .isInstanceOfSatisfying(NoAnswer.class, failure -> assertThat(failure.problem())
                                .isEqualTo(StoreProblem.WRONG_TYPE));
            } else {
                assertThat(replies.get(i)).as("%d", i).isInstanceOf(RenewReply.Renewed.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(RedisBinary.class)
    void what_is_wrong_is_told_as_it_is_for_one(RedisBinary binary) {
        try (RedisServer other = RedisServer.start(binary);
                RedisLeaseStore fresh = RedisLeaseStore.open(RedisAccess.at(other.uri()), "together", LEASE)) {
            campaignsTogether(fresh, names(1));
            other.call(redis -> redis.set(KEYS.epoch("e0"), "of another type"));
            other.call(redis -> redis.hset(KEYS.epoch("e1"), "format", "2"));
            assertThat(campaignsTogether(fresh, names(2)))
                    .extracting(reply -> ((NoAnswer) reply).problem())
                    .containsExactly(StoreProblem.WRONG_TYPE, StoreProblem.NEWER_FORMAT);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'soon', '1', 'granted', '1', 'granted'}",
                "{'1', 'one', 'granted'}",
                "{'1', '3', 'granted'}",
                "{'1'}",
                "{'1', '0', '0'}"
            })
    void no_request_waits_where_the_reply_of_their_script_is_unreadable(String unreadable) {
        assertThat(withReplyOfScript("return replies", "return " + unreadable))
                .extracting(reply -> ((NoAnswer) reply).problem())
                .containsExactly(StoreProblem.UNKNOWN, StoreProblem.UNKNOWN);
    }

    @Test
    void a_request_whose_reply_is_empty_fails_alone() {
        List<Object> replies = withReplyOfScript("local reply = run(name)", "local reply = i == 1 and {} or run(name)");
        assertThat(((NoAnswer) replies.get(0)).problem()).isEqualTo(StoreProblem.UNKNOWN);
        assertThat(replies.get(1)).isNotInstanceOf(NoAnswer.class);
    }

    /** The replies to two campaigns by a script with that change. */
    private List<Object> withReplyOfScript(String text, String instead) {
        try (RedisLeaseStore other = open(
                RedisAccess.at(server.uri()),
                RedisKeySpace.of("unreadable"),
                script -> script.replace(text, instead))) {
            return other.send(List.of(campaign("e0", "one"), campaign("e1", "one"))).stream()
                    .<Object>map(reply -> reply.toCompletableFuture()
                            .orTimeout(LEASE.toMillis(), TimeUnit.MILLISECONDS)
                            .join())
                    .toList();
        }
    }

    @Test
    void an_election_whose_keys_the_user_may_not_touch_fails_alone() {
        server.call(redis -> redis.aclSetuser(
                "some",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .keyPattern("together:{e0}:*")
                        .allChannels()
                        .allCommands()));
        RedisURI user = RedisURI.builder(server.uri())
                .withAuthentication("some", "secret")
                .build();
        try (RedisLeaseStore limited = RedisLeaseStore.open(RedisAccess.at(user), "together", LEASE)) {
            List<CampaignReply> replies = campaignsTogether(limited, names(2));
            assertThat(replies.get(0)).isNotInstanceOf(NoAnswer.class);
            assertThat(((NoAnswer) replies.get(1)).problem()).isEqualTo(StoreProblem.FORBIDDEN);
        }
    }

    @Test
    void a_connection_on_which_a_replica_answers_is_given_up() {
        campaignsTogether(store, names(2));
        List<String> before = clientsWithScripts();
        assertThat(before).hasSize(1);
        server.call(redis -> redis.replicaof("127.0.0.1", Ports.free()));
        assertThat(campaignsTogether(store, names(2)))
                .extracting(reply -> ((NoAnswer) reply).problem())
                .containsOnly(StoreProblem.READ_ONLY);
        Nodes.await("the end of the connection")
                .until(() -> !clientsWithScripts().containsAll(before));
        server.call(redis -> redis.replicaofNoOne());
    }

    @Test
    void all_learn_of_a_server_that_does_not_answer() {
        server.close();
        assertThat(campaignsTogether(store, names(3)))
                .extracting(reply -> ((NoAnswer) reply).problem())
                .containsOnly(StoreProblem.UNREACHABLE);
    }

    @Test
    void in_a_cluster_each_election_has_its_slot_unless_a_hash_tag_says_otherwise() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisLeaseStore apart =
                        RedisLeaseStore.open(RedisAccess.toCluster(Lettuce.uris(cluster)), "together", LEASE);
                RedisLeaseStore inOneSlot = open(
                        RedisAccess.toCluster(Lettuce.uris(cluster)),
                        RedisKeySpace.of("together").withHashTag("all"),
                        QUICK)) {
            List<String> elections = names(50);
            assertThat(campaignsTogether(apart, elections)).hasSize(50).doesNotHaveAnyElementsOfTypes(NoAnswer.class);
            campaignsTogether(inOneSlot, elections);
            RedisProcess owner = cluster.owner("{all}");
            long before = scripts(owner);
            assertThat(campaignsTogether(inOneSlot, elections))
                    .hasSize(50)
                    .doesNotHaveAnyElementsOfTypes(NoAnswer.class);
            assertThat(scripts(owner) - before).isEqualTo(1);
        }
    }

    /** A store with a change in the script of several elections. */
    private static RedisLeaseStore open(RedisAccess access, RedisKeySpace keys, UnaryOperator<String> change) {
        ScriptSet scripts = ScriptSet.of(name -> {
            String source = LuaScript.source(name);
            return name.equals("together") ? changed(source, change) : source;
        });
        return new RedisLeaseStore(access, LEASE, RedisSettings.of(keys).history(0), scripts);
    }

    private static String changed(String source, UnaryOperator<String> change) {
        String changed = change.apply(source);
        assertThat(changed).isNotEqualTo(source);
        return changed;
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "e" + i).toList();
    }

    private List<RenewReply> renewalsTogether(List<String> elections, List<CampaignReply> grants) {
        List<RenewRequest> renewals = IntStream.range(0, elections.size())
                .mapToObj(i -> renewal(elections.get(i), (CampaignReply.Granted) grants.get(i)))
                .toList();
        return joined(renewals).stream().map(RenewReply.class::cast).toList();
    }

    private List<CampaignReply> granted(List<String> elections) {
        List<CampaignReply> replies = campaignsTogether(store, elections);
        while (replies.stream().anyMatch(CampaignReply.Wait.class::isInstance)) {
            replies = campaignsTogether(store, elections);
        }
        return replies;
    }

    private CampaignReply.Granted lead(String election) {
        return (CampaignReply.Granted) granted(List.of(election)).get(0);
    }

    private static List<CampaignReply> campaignsTogether(RedisLeaseStore store, List<String> elections) {
        List<CampaignRequest> campaigns =
                elections.stream().map(election -> campaign(election, "one")).toList();
        return joined(store, campaigns).stream().map(CampaignReply.class::cast).toList();
    }

    private List<Object> joined(List<? extends StoreRequest<?>> requests) {
        return joined(store, requests);
    }

    private static List<Object> joined(RedisLeaseStore store, List<? extends StoreRequest<?>> requests) {
        return store.send(requests).stream()
                .<Object>map(reply -> reply.toCompletableFuture().join())
                .toList();
    }

    private static CampaignRequest campaign(String election, String node) {
        return new CampaignRequest(candidate(election, node), LEASE, 0, Duration.ofMillis(1));
    }

    private static RenewRequest renewal(String election, CampaignReply.Granted grant) {
        return new RenewRequest(candidate(election, "one"), grant.token(), grant.since(), grant.expiry(), LEASE);
    }

    private static ReleaseRequest release(String election, CampaignReply.Granted grant) {
        return new ReleaseRequest(
                candidate(election, "one"),
                new ReleaseRequest.Grant(grant.token(), grant.expiry()),
                LEASE,
                LossReason.STOPPED);
    }

    private static Candidate candidate(String election, String node) {
        return new Candidate(election, node + ".1", new NodeInfo(node, node + ":80"));
    }

    private List<String> clientsWithScripts() {
        return server.call(redis -> redis.clientList())
                .lines()
                .filter(client -> client.contains("cmd=eval"))
                .map(client -> client.substring(0, client.indexOf(' ')))
                .toList();
    }

    private long scripts() {
        return scripts(server);
    }

    /** Returns how many scripts a server has run. */
    static long scripts(RedisProcess member) {
        Matcher calls = CALLS.matcher(Lettuce.call(member, redis -> redis.info("commandstats")));
        long sum = 0;
        while (calls.find()) {
            sum += Long.parseLong(calls.group(1));
        }
        return sum;
    }
}
