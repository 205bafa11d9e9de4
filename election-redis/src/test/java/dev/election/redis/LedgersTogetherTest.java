package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.harness.Link;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisCluster;
import dev.election.harness.RedisProcess;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.LedgerUser;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LedgerStore;
import dev.election.store.LedgerStore.Opened;
import dev.election.store.LedgerStore.Superseded;
import dev.election.store.NoAnswer;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.OtherServers;
import dev.election.testing.RedisServer;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Openings of the ledgers of several elections that are asked for at about the same time travel together, and each has its own reply. */
class LedgersTogetherTest {

    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final int COUNT = 26;
    private static final FencingToken TOKEN = new FencingToken(7);

    /** The command, the script, the number of keys, the key, the token and the allowance, and perhaps the name of the request. A write has more. */
    private static final Set<Integer> ARGUMENTS_OF_OPENING = Set.of(6, 7);

    @AutoClose
    private final dev.election.testing.Opened opened = new dev.election.testing.Opened();

    private final RedisServer server = opened.add(RedisServer.start(RedisBinary.REDIS_7_0));
    private final RedisLeaseStore store = opened.add(store(RedisAccess.at(server.uri())));
    private final LedgerStore ledgers = store.ledgerStore().orElseThrow();

    @BeforeEach
    void connect() {
        assertThat(joined(List.of(ledgers.open("warm-up", TOKEN)))).hasOnlyElementsOfType(Opened.class);
    }

    @Test
    void ledgers_that_are_opened_while_another_one_is_opened_are_one_request() {
        long before = scripts();
        List<CompletionStage<LedgerStore.OpenReply>> replies;
        server.freeze();
        try {
            replies = openAll(ledgers);
        } finally {
            server.thaw();
        }
        assertThat(joined(replies)).hasSize(COUNT).hasOnlyElementsOfType(Opened.class);
        assertThat(scripts() - before).isBetween(2L, 4L);
    }

    @Test
    void a_process_that_begins_to_lead_all_partitions_opens_their_ledgers_by_few_requests() {
        Map<String, Ledger> open = new ConcurrentHashMap<>();
        try (ElectionEngine engine = ElectionEngine.over(store)
                        .timing(Timing.ofLease(Duration.ofSeconds(2)))
                        .partitions("orders", COUNT)
                        .build();
                SharedLedgers shared = new SharedLedgers(() -> engine, need -> ledgers, InstantSource.system())) {
            shared.join(new LedgerUser() {
                @Override
                public Need need() {
                    return new Need("a test", "do without");
                }

                @Override
                public boolean uses(String election) {
                    return true;
                }

                @Override
                public void opened(String election, Ledger ledger) {
                    open.put(election, ledger);
                }
            });
            logAll();
            engine.start();
            Nodes.await("all ledgers").until(() -> open.size() == COUNT);
        }
        List<List<String>> openings = logged().stream()
                .filter(args -> args.stream().anyMatch(arg -> arg.endsWith("}:log")))
                .filter(args -> !args.get(2).equals("1") || ARGUMENTS_OF_OPENING.contains(args.size()))
                .toList();
        assertThat(openings).as("openings").hasSizeBetween(1, COUNT / 2);
    }

    @Test
    void each_ledger_has_its_own_answer() {
        joined(List.of(
                ledgers.open("e3", new FencingToken(9)),
                ledgers.open("e5", TOKEN),
                ledgers.beside("runs").open("e5", TOKEN)));
        joined(List.of(
                ledgers.write("e5", TOKEN, Map.of("a", "5"), Set.of()),
                ledgers.beside("runs").write("e5", TOKEN, Map.of("a", "run"), Set.of())));
        List<CompletionStage<LedgerStore.OpenReply>> replies = new ArrayList<>(openAll(ledgers));
        replies.add(ledgers.beside("runs").open("e5", TOKEN));
        List<LedgerStore.OpenReply> answers = joined(replies);
        assertThat(answers.get(3)).isInstanceOf(Superseded.class);
        assertThat(((Opened) answers.get(4)).entries()).isEmpty();
        assertThat(((Opened) answers.get(5)).entries()).isEqualTo(Map.of("a", "5"));
        assertThat(((Opened) answers.get(COUNT)).entries()).isEqualTo(Map.of("a", "run"));
    }

    @Test
    void a_ledger_whose_key_holds_something_else_fails_alone() {
        String key = "ledgers:{e13}:log";
        server.call(redis -> redis.set(key, "of another type"));
        List<LedgerStore.OpenReply> replies = joined(openAll(ledgers));
        for (int i = 0; i < COUNT; i++) {
            if (i == 13) {
                assertThat(replies.get(i)).isInstanceOfSatisfying(NoAnswer.class, failure -> {
                    assertThat(failure.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
                    assertThat(failure.action()).contains(key);
                });
            } else {
                assertThat(replies.get(i)).as("%d", i).isInstanceOf(Opened.class);
            }
        }
    }

    @Test
    void large_ledgers_do_not_hold_up_redis_together() {
        joined(openAll(ledgers));
        Map<String, String> entries = IntStream.range(0, 2000).boxed().collect(Collectors.toMap(i -> "n" + i, i -> ""));
        IntStream.range(0, COUNT).forEach(i -> server.call(redis -> redis.hset("ledgers:{e" + i + "}:log", entries)));
        long before = scripts();
        assertThat(joined(openAll(ledgers)))
                .hasSize(COUNT)
                .allMatch(reply -> ((Opened) reply).entries().equals(entries));
        assertThat(scripts() - before).isBetween(4L, COUNT - 1L);
    }

    @Test
    void a_ledger_that_the_user_may_not_touch_fails_alone() {
        server.call(redis -> redis.aclSetuser(
                "some",
                AclSetuserArgs.Builder.on()
                        .addPassword("secret")
                        .keyPattern("ledgers:{e1*}:*")
                        .allChannels()
                        .allCommands()));
        RedisURI user = RedisURI.builder(server.uri())
                .withAuthentication("some", "secret")
                .build();
        try (RedisLeaseStore limited = store(RedisAccess.at(user))) {
            List<LedgerStore.OpenReply> replies =
                    joined(openAll(limited.ledgerStore().orElseThrow()));
            for (int i = 0; i < COUNT; i++) {
                if (("e" + i).startsWith("e1")) {
                    assertThat(replies.get(i)).as("%d", i).isInstanceOf(Opened.class);
                } else {
                    assertThat(replies.get(i)).as("%d", i).isInstanceOfSatisfying(NoAnswer.class, failure -> assertThat(
                                    failure.problem())
                            .isEqualTo(StoreProblem.FORBIDDEN));
                }
            }
        }
    }

    @Test
    void a_request_that_is_not_answered_does_not_hold_up_those_over_the_next_connection() {
        try (Link link = new Link(server.port());
                RedisLeaseStore slow = store(RedisAccess.at(RedisURI.create("127.0.0.1", link.port())))) {
            LedgerStore over = slow.ledgerStore().orElseThrow();
            joined(List.of(over.open("warm-up", TOKEN)));
            long connections = link.connectionsMade();
            link.stallOpenConnections(LEASE.multipliedBy(4));
            CompletionStage<LedgerStore.OpenReply> first = over.open("first", TOKEN);
            List<CompletionStage<LedgerStore.OpenReply>> together = openAll(over);
            Nodes.await("another connection").until(() -> link.connectionsMade() > connections);
            Nodes.await("an answer over it").until(() -> over.open("e7", TOKEN)
                    .thenApply(Opened.class::isInstance)
                    .toCompletableFuture()
                    .completeOnTimeout(false, 1, TimeUnit.SECONDS)
                    .join());
            assertThat(first.toCompletableFuture()).isNotDone();
            assertThat(together.get(7).toCompletableFuture()).isNotDone();
        }
    }

    @Test
    @OtherServers
    void in_a_cluster_each_election_has_its_slot_unless_a_hash_tag_says_otherwise() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisLeaseStore apart = store(RedisAccess.toCluster(Lettuce.uris(cluster)));
                RedisLeaseStore inOneSlot = RedisLeaseStore.open(
                        RedisAccess.toCluster(Lettuce.uris(cluster)),
                        LEASE,
                        RedisSettings.of(RedisKeySpace.of("ledgers").withHashTag("all")))) {
            assertThat(joined(openAll(apart.ledgerStore().orElseThrow()))).hasOnlyElementsOfType(Opened.class);
            LedgerStore together = inOneSlot.ledgerStore().orElseThrow();
            assertThat(joined(openAll(together))).hasOnlyElementsOfType(Opened.class);
            RedisProcess owner = cluster.owner("{all}");
            long before = TogetherTest.scripts(owner);
            assertThat(joined(openAll(together))).hasOnlyElementsOfType(Opened.class);
            assertThat(TogetherTest.scripts(owner) - before).isLessThan(COUNT / 2);
        }
    }

    private static RedisLeaseStore store(RedisAccess access) {
        return RedisLeaseStore.open(access, "ledgers", LEASE);
    }

    private static List<CompletionStage<LedgerStore.OpenReply>> openAll(LedgerStore ledgers) {
        return IntStream.range(0, COUNT)
                .mapToObj(i -> ledgers.open("e" + i, TOKEN))
                .toList();
    }

    private static <T> List<T> joined(List<? extends CompletionStage<? extends T>> replies) {
        return replies.stream()
                .<T>map(reply -> reply.toCompletableFuture().join())
                .toList();
    }

    private void logAll() {
        server.call(redis -> redis.configSet("slowlog-max-len", "10000"));
        server.call(redis -> redis.configSet("slowlog-log-slower-than", "0"));
    }

    /** The scripts that were run since {@link #logAll}, with the first of their keys and arguments. */
    private List<List<String>> logged() {
        List<Object> entries = server.call(redis -> redis.slowlogGet(10_000));
        return entries.stream()
                .map(entry -> ((List<?>) ((List<?>) entry).get(3))
                        .stream().map(Object::toString).toList())
                .filter(args -> args.get(0).startsWith("EVAL"))
                .toList();
    }

    private long scripts() {
        return TogetherTest.scripts(server);
    }
}
