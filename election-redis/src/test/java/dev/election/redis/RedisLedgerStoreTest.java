package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.test.LedgerStoreContract;
import dev.election.testing.Opened;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The ledger stores in a Redis of the oldest version that will do. */
class RedisLedgerStoreTest extends LedgerStoreContract {

    @AutoClose
    private static final Opened opened = new Opened();

    private static final RedisServer redis = opened.add(RedisServer.start(RedisBinary.REDIS_6_2));
    private static final RedisLeaseStore store =
            opened.add(RedisLeaseStore.open(RedisAccess.at(redis.uri()), "contract", Duration.ofSeconds(15)));

    private static int tests;

    private final String election = "e" + ++tests;

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
    void a_time_that_nobody_can_read_counts_as_missing() throws Exception {
        assertThat(open()).isInstanceOf(LedgerStore.Opened.class);
        redis.call(commands -> commands.hset(key(), "since", "nan"));
        assertThat(open()).isInstanceOf(LedgerStore.Opened.class);
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
