package dev.election.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.redis.RedisAccess;
import dev.election.redis.RedisLeaseStore;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.RedisBinary;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A real Redis that comes back with what it had saved some time ago. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Tag("slow")
class RestoredLogTest {

    private static final String KEY = "restored:{default}:log";

    private final HandDrivenElections elections = new HandDrivenElections();

    @Test
    void a_leader_puts_the_whole_log_in_the_place_of_an_old_copy_when_it_reconnects() throws Exception {
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_6_2);
                RedisLeaseStore store =
                        RedisLeaseStore.open(RedisAccess.at(redis.uri()), "restored", Duration.ofSeconds(15))) {
            Ledgers ledgers = new Ledgers(store.logbook(), Duration.ofMinutes(5), InstantSource.system());
            JobLedger ledger = open(ledgers);
            write(ledger, Map.of("running", "since long", "slot", "1000"), Set.of());
            redis.call(commands -> commands.save());
            write(ledger, Map.of("slot", "2000"), Set.of("running"));

            redis.kill();
            redis.restart();

            Journal.await().until(() -> redis.call(commands -> commands.hgetall(KEY))
                    .equals(Map.of("token", ledger.token().toString(), "slot", "2000")));
            ledgers.close();
        }
    }

    private JobLedger open(Ledgers ledgers) throws Exception {
        CompletableFuture<JobLedger> opened = new CompletableFuture<>();
        ledgers.open(
                "default", elections.lead("default").leadership().orElseThrow().token(), elections, opened::complete);
        return opened.get(10, TimeUnit.SECONDS);
    }

    private static void write(JobLedger ledger, Map<String, String> put, Set<String> removed) throws Exception {
        assertThat(ledger.write(put, removed).toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10));
    }
}
