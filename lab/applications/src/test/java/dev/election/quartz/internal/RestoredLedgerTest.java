package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.LedgerUser;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LedgerStore;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A real Redis that comes back with what it had saved some time ago. */
@RealTime
class RestoredLedgerTest {

    private static final String KEY = "restored:{default}:log";

    @Test
    void a_leader_puts_the_whole_log_in_the_place_of_an_old_copy_when_it_reconnects() throws Exception {
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_6_2);
                RedisLeaseStore store =
                        RedisLeaseStore.open(RedisAccess.at(redis.uri()), "restored", Duration.ofSeconds(15))) {
            LedgerStore ledgerStore = store.ledgerStore().orElseThrow();
            HandDrivenElections elections = new HandDrivenElections();
            SharedLedgers ledgers = new SharedLedgers(() -> elections, need -> ledgerStore, InstantSource.system());
            SchedulerLedger ledger = open(ledgers, elections).of("s", Duration.ofMinutes(5));
            write(ledger, Map.of("1", "since long", "2", "old"), Set.of());
            redis.call(commands -> commands.save());
            write(ledger, Map.of("2", "new"), Set.of("1"));

            redis.kill();
            redis.restart();

            Journal.await().untilAsserted(() -> {
                Map<String, String> log = redis.call(commands -> commands.hgetall(KEY));
                assertThat(log)
                        .containsEntry("token", ledger.token().toString())
                        .containsEntry("s/running/2", "new")
                        .doesNotContainKey("s/running/1");
            });
            ledgers.close();
        }
    }

    private static Ledger open(SharedLedgers ledgers, HandDrivenElections elections) throws Exception {
        CompletableFuture<Ledger> opened = new CompletableFuture<>();
        ledgers.join(new LedgerUser() {
            @Override
            public Need need() {
                return new Need("a test", "drop it");
            }

            @Override
            public boolean uses(String election) {
                return true;
            }

            @Override
            public void opened(String election, Ledger ledger) {
                opened.complete(ledger);
            }
        });
        elections.lead("default");
        return opened.get(10, TimeUnit.SECONDS);
    }

    private static void write(SchedulerLedger ledger, Map<String, String> put, Set<String> removed) throws Exception {
        assertThat(ledger.recordRunning(put, removed).toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10));
    }
}
