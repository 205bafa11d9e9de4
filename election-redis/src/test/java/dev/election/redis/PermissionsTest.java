package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.redis.client.RedisAccess;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EvictRequest;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewRequest;
import dev.election.store.RosterVersion;
import dev.election.store.StoreEvent;
import dev.election.testing.Lettuce;
import dev.election.testing.Node;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.BaseRedisCommands;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A Redis user that was made by the documented line, and what happens to one that lacks a part of it. */
@OtherServers
class PermissionsTest {

    private static final Duration LEASE = Duration.ofSeconds(12);

    /** Without it nothing is missing but an end of messages that nobody listens to. */
    private static final Set<String> HARMLESS = Set.of("+UNSUBSCRIBE");

    /** Only where nothing was heard of events for half a minute. A refusal is a sign of life as well, but Redis notes it. */
    private static final String SELDOM = "+PING";

    @AutoClose
    private static RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    @ParameterizedTest
    @EnumSource(RedisBinary.class)
    void the_documented_line_permits_all_that_the_elections_do(RedisBinary binary) {
        try (RedisServer fresh = RedisServer.start(binary)) {
            makeUser(fresh, line());
            Deeds deeds = new Deeds(fresh);
            deeds.doAll();
            assertThat(deeds.problems).isEmpty();
            assertThat(denied(fresh)).isEmpty();
        }
    }

    @Test
    void with_the_commands_for_Quartz_it_permits_the_log_of_fired_slots() {
        try (RedisServer fresh = RedisServer.start(RedisBinary.REDIS_7_0)) {
            makeUser(fresh, with("`+HGETALL +HDEL`"));
            Deeds deeds = new Deeds(fresh);
            deeds.writeLog();
            assertThat(deeds.problems).isEmpty();
            assertThat(denied(fresh)).isEmpty();
        }
    }

    @Test
    void with_the_command_for_members_it_permits_them_and_their_messages() {
        try (RedisServer fresh = RedisServer.start(RedisBinary.REDIS_7_0)) {
            makeUser(fresh, with("`+HDEL`"));
            Deeds deeds = new Deeds(fresh);
            deeds.beMember();
            assertThat(deeds.problems).isEmpty();
            assertThat(denied(fresh)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void each_command_of_the_line_is_needed_and_what_its_lack_costs_is_said(String command) {
        makeUser(server, line().stream().filter(word -> !word.equals(command)).toList());
        Deeds deeds = new Deeds(server);
        deeds.doAll();
        String name = command.substring(1);
        Nodes.await(name + " is denied").until(() -> denied(server).contains(name.toLowerCase(Locale.ROOT)));
        if (!HARMLESS.contains(command)) {
            assertThat(deeds.problems).as("what is said without " + name).isNotEmpty();
        }
    }

    /** Whoever asks again must not find that there was nothing to wait for. */
    @ParameterizedTest
    @EnumSource(Loss.class)
    void a_user_that_may_not_keep_others_out_is_granted_nothing_where_that_is_needed(Loss loss) {
        try (RedisServer fresh = RedisServer.start(RedisBinary.REDIS_7_0)) {
            makeUser(fresh, line().stream().filter(word -> !word.equals("+SET")).toList());
            loss.befall(fresh);
            Deeds deeds = new Deeds(fresh);
            deeds.with(store -> assertThat(Stream.generate(() -> loss.ask(store, deeds))
                            .limit(3)
                            .map(reply -> reply instanceof NoAnswer failure ? failure.problem() : reply))
                    .containsOnly(StoreProblem.FORBIDDEN));
        }
    }

    @ParameterizedTest
    @EnumSource(RedisBinary.class)
    void optional_commands_that_the_server_does_not_have_are_told_like_those_that_it_forbids(RedisBinary binary) {
        try (RedisServer fresh = RedisServer.start(
                binary, "--rename-command", "PUBLISH", "hidden1", "--rename-command", "LTRIM", "hidden2")) {
            makeUser(fresh, line());
            Deeds deeds = new Deeds(fresh);
            deeds.with(store -> {
                Nodes.await("a grant").until(() -> deeds.campaign(store, deeds.one) instanceof CampaignReply.Granted);
                deeds.ask(store.refusedCommands("default").thenAccept(deeds.problems::addAll));
            });
            assertThat(deeds.problems).containsOnly("PUBLISH", "LTRIM");
        }
    }

    @Test
    void in_another_database() throws InterruptedException {
        try (RedisServer fresh = RedisServer.start(RedisBinary.REDIS_7_0)) {
            makeUser(fresh, forNodes(with("`+SELECT`")));
            RedisURI user = asUser(fresh.uri());
            user.setDatabase(3);
            assertThatOneLeadsAfterTheOther(RedisAccess.at(user));
            assertThat(denied(fresh)).isEmpty();
        }
    }

    @Test
    void in_a_cluster() throws InterruptedException {
        try (RedisCluster cluster = RedisCluster.start()) {
            List<String> line = forNodes(with("`+CLUSTER|NODES +CLUSTER|MYID`"));
            cluster.members().forEach(member -> Lettuce.call(member, redis -> acl(redis, line)));
            List<RedisURI> users =
                    Lettuce.uris(cluster).stream().map(PermissionsTest::asUser).toList();
            cluster.members().forEach(member -> Lettuce.call(member, RedisCommands::aclLogReset));
            assertThatOneLeadsAfterTheOther(RedisAccess.toCluster(users));
            assertThat(deniedAnywhere(cluster)).isEmpty();
        }
    }

    static Stream<String> commands() {
        return line().stream().filter(word -> word.startsWith("+") && !word.equals(SELDOM));
    }

    private static void assertThatOneLeadsAfterTheOther(RedisAccess access) throws InterruptedException {
        try (Nodes nodes = Nodes.start(2, LEASE, access)) {
            Node leader = nodes.awaitLeader();
            Node follower = nodes.others(leader).get(0);
            Nodes.await("it follows").until(() -> follower.election().leader().isPresent());
            leader.election().abdicate();
            assertThat(follower.election().awaitLeadership(LEASE.dividedBy(2)))
                    .as("so soon only who hears of it: %s", nodes.journal().entries())
                    .isTrue();
            assertThat(nodes.journal().answeredProblems())
                    .as("in %s", nodes.journal().entries())
                    .isEmpty();
        }
    }

    /** Word for word. */
    private static List<String> line() {
        String found = documentation()
                .lines()
                .filter(line -> line.startsWith("ACL SETUSER "))
                .findFirst()
                .orElseThrow();
        return List.of(found.substring("ACL ".length()).strip().split(" "));
    }

    /** The line and these words, which the documentation must name. */
    private static List<String> with(String quoted) {
        assertThat(documentation()).contains(quoted);
        return Stream.concat(line().stream(), Stream.of(quoted.replace("`", "").split(" ")))
                .toList();
    }

    /** The nodes of the tests have a key prefix of their own. */
    private static List<String> forNodes(List<String> line) {
        return line.stream()
                .map(word -> word.replace("election:*", Nodes.PREFIX + ":*"))
                .toList();
    }

    private static String documentation() {
        try {
            return Files.readString(Path.of("..", "docs", "redis.md"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void makeUser(RedisServer server, List<String> line) {
        server.call(redis -> redis.flushall());
        server.call(redis -> redis.scriptFlush());
        server.call(redis -> redis.aclDeluser(line.get(1)));
        server.call(redis -> acl(redis, line));
        server.call(redis -> redis.aclLogReset());
    }

    private static String acl(BaseRedisCommands<String, String> redis, List<String> line) {
        CommandArgs<String, String> words = new CommandArgs<>(StringCodec.UTF8);
        line.forEach(words::add);
        return redis.dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), words);
    }

    /**
     * What Redis has refused since the user was made: commands, keys and channels. Not that the client may not say what it is, which it
     * does without asking for leave and without minding the answer.
     */
    private static Set<String> denied(RedisServer server) {
        return server.call(PermissionsTest::denied);
    }

    private static Set<String> deniedAnywhere(RedisCluster cluster) {
        Set<String> denied = new HashSet<>();
        cluster.members().forEach(member -> Lettuce.call(member, redis -> denied.addAll(denied(redis))));
        return denied;
    }

    private static Set<String> denied(RedisCommands<String, String> redis) {
        return redis.aclLog(100).stream()
                .map(entry -> String.valueOf(entry.get("object")))
                .filter(object -> !object.startsWith("client"))
                .collect(Collectors.toSet());
    }

    private static RedisURI asUser(RedisURI server) {
        List<String> line = line();
        String password =
                line.stream().filter(word -> word.startsWith(">")).findFirst().orElseThrow();
        return RedisURI.builder(server)
                .withAuthentication(line.get(1), password.substring(1))
                .build();
    }

    /** What makes a store keep everybody out for a while. */
    private enum Loss {
        RECORD,
        LATEST_GRANT,
        PERHAPS_ANYTHING,
        LEASE;

        private static final String EPOCH = "election:{default}:epoch";

        void befall(RedisServer server) {
            if (this == LATEST_GRANT || this == PERHAPS_ANYTHING) {
                server.call(redis -> redis.hset(EPOCH, Map.of("token", "1", "closed", "1", "format", "1")));
            }
            if (this == PERHAPS_ANYTHING) {
                server.call(redis -> redis.hset(EPOCH, "incarnation", "another"));
            }
        }

        Object ask(RedisLeaseStore store, Deeds deeds) {
            Candidate one = deeds.one;
            if (this == LEASE) {
                Instant now = Instant.now();
                return deeds.ask(store.renew(new RenewRequest(
                        one, new FencingToken(2), now, now.plus(PermissionsTest.LEASE), PermissionsTest.LEASE)));
            }
            return deeds.ask(store.campaign(new CampaignRequest(
                    one, PermissionsTest.LEASE, this == LATEST_GRANT ? 2 : 0, Duration.ofMillis(1))));
        }
    }

    /** Everything that the elections ask of Redis, by that user, and what comes of it. */
    private static final class Deeds {

        private static final Duration SHORT = Duration.ofMillis(100);

        private final Set<Object> problems = new HashSet<>();
        private final RedisServer server;
        private final Candidate one = new Candidate("default", "one.1", new NodeInfo("one", "one:80"));
        private final Candidate other =
                new Candidate("default", "other.1", new NodeInfo("other", "other:80", "another"));

        private Deeds(RedisServer server) {
            this.server = server;
        }

        void doAll() {
            with(store -> {
                Set<StoreEvent> heard = ConcurrentHashMap.newKeySet();
                NodeMessaging messaging = store.messaging().orElseThrow();
                try (LeaseStore.Subscription subscription = store.listen("default", heard::add)) {
                    // What is said before is heard by nobody.
                    note("no subscription", awaitsNothing(() -> heard.stream()
                            .anyMatch(StoreEvent.Connected.class::isInstance)));
                    lead(store);
                    ask(messaging.announce("default", new NodeMessage.AbdicationHeard("r", SHORT)));
                    note("no event", awaitsNothing(() -> heard.stream()
                            .anyMatch(StoreEvent.Received.class::isInstance)));
                }
                ask(store.checkUp().thenAccept(vitals -> note("no incarnation", !vitals.tellsIncarnation())));
                ask(store.refusedCommands("default").thenAccept(problems::addAll));
            });
        }

        /** Every script in every way that needs another command. */
        private void lead(RedisLeaseStore store) {
            campaign(store, one);
            Nodes.await("a grant or a refusal").until(() -> !(campaign(store, one) instanceof CampaignReply.Wait));
            if (!(campaign(store, one) instanceof CampaignReply.Granted grant)) {
                return;
            }
            campaign(store, other);
            renew(store, one, grant);
            ask(store.eviction()
                    .orElseThrow()
                    .evict(new EvictRequest("default", grant.token(), new Abdication(null, SHORT, "other", SHORT))));
            if (campaign(store, other) instanceof CampaignReply.Granted next) {
                renew(store, one, grant);
                ask(store.release(new ReleaseRequest(
                        other, new ReleaseRequest.Grant(next.token(), next.expiry()), LEASE, LossReason.ABDICATED)));
            }
            ask(store.read("default"));
        }

        void writeLog() {
            with(store -> {
                LedgerStore ledger = store.ledgerStore().orElseThrow();
                ask(ledger.check("default"));
                ask(ledger.open("default", new FencingToken(1)));
                ask(ledger.write("default", new FencingToken(1), Map.of("a", "b"), Set.of("c")));
                ask(ledger.open("default", new FencingToken(2)));
            });
        }

        /** One that was gone for a while is forgotten. */
        void beMember() {
            with(store -> {
                MemberStore members = store.memberStore().orElseThrow();
                BeatRequest beat = new BeatRequest("one", "id=one\n", LEASE, RosterVersion.NONE);
                ask(members.beat(beat));
                ask(members.leave("one"));
                server.call(redis -> redis.zadd("election:{members}:gone", 1, "one"));
                ask(members.beat(new BeatRequest("other", "id=other\n", LEASE, RosterVersion.NONE)));
                List<String> left = server.call(redis -> redis.hkeys("election:{members}:texts"));
                assertThat(left).containsExactly("other");
                exchange(members.messaging().orElseThrow());
            });
        }

        private void exchange(MemberMessaging messaging) {
            Set<MemberMessage> heard = ConcurrentHashMap.newKeySet();
            try (LeaseStore.Subscription subscription = messaging.listen("one", heard::add)) {
                Nodes.await("the channels").until(() -> heard.contains(new MemberMessage.Connected()));
                ask(messaging.send("one", "1"));
                ask(messaging.sendToAll("2"));
                Nodes.await("both texts")
                        .until(() -> heard.contains(new MemberMessage.Received("1"))
                                && heard.contains(new MemberMessage.Received("2")));
            }
        }

        private void with(Consumer<RedisLeaseStore> deeds) {
            try (RedisLeaseStore store =
                    RedisLeaseStore.open(RedisAccess.at(asUser(server.uri())), "election", LEASE)) {
                deeds.accept(store);
            }
        }

        private CampaignReply campaign(RedisLeaseStore store, Candidate candidate) {
            return ask(store.campaign(new CampaignRequest(candidate, LEASE, 0, Duration.ofMillis(1))));
        }

        private void renew(RedisLeaseStore store, Candidate candidate, CampaignReply.Granted grant) {
            ask(store.renew(new RenewRequest(candidate, grant.token(), grant.since(), grant.expiry(), LEASE)));
        }

        private <T> T ask(CompletionStage<T> answer) {
            T reply = null;
            try {
                reply = answer.toCompletableFuture().join();
            } catch (CompletionException failure) {
                problems.add(failure.getCause());
            }
            if (reply instanceof NoAnswer failure) {
                note(failure.problem(), failure.problem() == StoreProblem.FORBIDDEN);
            }
            return reply;
        }

        private void note(Object problem, boolean is) {
            if (is) {
                problems.add(problem);
            }
        }

        private static boolean awaitsNothing(Callable<Boolean> condition) {
            try {
                Awaitility.await().atMost(Duration.ofSeconds(4)).until(condition);
                return false;
            } catch (ConditionTimeoutException nothing) {
                return true;
            }
        }
    }
}
