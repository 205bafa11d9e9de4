package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.test.LedgerStoreContract;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ledger stores in a Redis of the oldest version that will do. */
class RedisLedgerStoreTest extends LedgerStoreContract {

    private static RedisServer redis;
    private static RedisLeaseStore store;
    private static int tests;

    private String election;

    @BeforeAll
    static void start() {
        redis = RedisServer.start(RedisBinary.REDIS_6_2);
        store = RedisLeaseStore.open(RedisAccess.at(redis.uri()), "contract", Duration.ofSeconds(15));
    }

    @BeforeEach
    void choose_an_election() {
        tests++;
        election = "e" + tests;
    }

    @AfterAll
    static void stop() {
        store.close();
        redis.close();
    }

    @Test
    void a_key_that_holds_something_else_is_named_with_what_to_do_about_it() throws Exception {
        String key = "contract:{" + election + "}:log";
        redis.call(commands -> commands.set(key, "spoilt"));
        assertThat(ledger().check(election).toCompletableFuture().get(10, TimeUnit.SECONDS))
                .isInstanceOfSatisfying(NoAnswer.class, refusal -> {
                    assertThat(refusal.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
                    assertThat(refusal.action()).isEqualTo("delete the key " + key + " or choose another key prefix");
                });
    }

    @Test
    void a_look_at_several_ledgers_is_one_request_and_a_key_that_holds_something_else_spoils_its_own_answer_only()
            throws Exception {
        String spoilt = election + "-spoilt";
        FencingToken token = new FencingToken(1);
        open();
        assertThat(requestsOf(() -> ledger().look(Map.of(election, token, election + "-other", token))))
                .isEqualTo(1);

        redis.call(commands -> commands.set("contract:{" + spoilt + "}:log", "spoilt"));
        Map<String, CompletionStage<LedgerStore.WriteReply>> replies =
                ledger().look(Map.of(election, token, spoilt, token));

        assertThat(answer(replies.get(election))).isInstanceOf(LedgerStore.Written.class);
        assertThat(answer(replies.get(spoilt)))
                .isInstanceOfSatisfying(
                        NoAnswer.class, refusal -> assertThat(refusal.problem()).isEqualTo(StoreProblem.WRONG_TYPE));
    }

    @Test
    void a_time_that_nobody_can_read_counts_as_missing() throws Exception {
        assertThat(open()).isInstanceOf(LedgerStore.Opened.class);
        redis.call(commands -> commands.hset(key(), "since", "nan"));
        assertThat(open()).isInstanceOf(LedgerStore.Opened.class);
    }

    /** How many scripts Redis runs meanwhile, once it knows them. */
    private static long requestsOf(Supplier<Map<String, CompletionStage<LedgerStore.WriteReply>>> look)
            throws Exception {
        answerAll(look.get());
        long before = scripts();
        answerAll(look.get());
        return scripts() - before;
    }

    private static long scripts() {
        Matcher calls = Pattern.compile("cmdstat_evalsha:calls=(\\d+)")
                .matcher(redis.call(commands -> commands.info("commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private static void answerAll(Map<String, CompletionStage<LedgerStore.WriteReply>> replies) throws Exception {
        for (CompletionStage<LedgerStore.WriteReply> reply : replies.values()) {
            answer(reply);
        }
    }

    private static <T> T answer(CompletionStage<T> reply) throws Exception {
        return reply.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    private LedgerStore.OpenReply open() throws Exception {
        return ledger().open(election, new FencingToken(1))
                .toCompletableFuture()
                .get(10, TimeUnit.SECONDS);
    }

    @Override
    protected LedgerStore ledger() {
        return store.ledgerStore().orElseThrow();
    }

    @Override
    protected String election() {
        return election;
    }

    @Override
    protected void forget() {
        redis.call(commands -> commands.del(key()));
    }

    @Override
    protected void putBack(Duration time) {
        redis.call(commands -> commands.hset(
                key(), "since", Long.toString(Instant.now().minus(time).toEpochMilli())));
    }

    @Override
    protected void changeIncarnation() {
        redis.call(commands -> commands.hset(key(), "store", "another"));
    }

    private String key() {
        return "contract:{" + election + "}:log";
    }
}
