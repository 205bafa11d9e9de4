package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.record.RecordLedgerStore;
import dev.election.record.RecordStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class RecordLedgerStoreTest extends LedgerStoreContract {

    private final InMemoryRecordStore records = InMemoryRecordStore.withoutClock();

    private final LedgerStore ledger = new RecordLedgerStore(records, "");

    @Test
    void a_ledger_takes_200_kB() {
        write(Map.of("half", "x".repeat(100_000)), Set.of());
        assertThat(write(Map.of("almost-half", "x".repeat(99_900)), Set.of())).isInstanceOf(LedgerStore.Written.class);
        assertThat(write(Map.of("one", "x".repeat(100), "two", "1", "three", "1", "four", "1"), Set.of()))
                .isInstanceOfSatisfying(NoAnswer.class, refused -> assertThat(refused.detail())
                        .contains("reports would have 201 kB with four, one, three and 1 more entries"));
    }

    @Test
    void a_ledger_that_is_too_large_already_may_become_smaller() {
        write(Map.of("a", "1"), Set.of());
        String text = Objects.requireNonNull(records.find("reports")).text();
        records.put("reports", new RecordStore.Stored(text + "large\n" + "x".repeat(250_000) + "\nmore\n1\n", "7"));
        assertThat(write(Map.of("b", "1"), Set.of())).isInstanceOf(NoAnswer.class);
        assertThat(write(Map.of("b", "1"), Set.of("a", "more"))).isInstanceOf(LedgerStore.Written.class);
        assertThat(write(Map.of(), Set.of("large"))).isInstanceOf(LedgerStore.Written.class);
        assertThat(write(Map.of("a", "1"), Set.of())).isInstanceOf(LedgerStore.Written.class);
    }

    private LedgerStore.WriteReply write(Map<String, String> put, Set<String> removed) {
        FencingToken leader = new FencingToken(10);
        CompletionStage<LedgerStore.OpenReply> opened = ledger.open("reports", leader);
        assertThat(opened.toCompletableFuture().join()).isInstanceOf(LedgerStore.Opened.class);
        return ledger.write("reports", leader, put, removed)
                .toCompletableFuture()
                .join();
    }

    @Override
    protected LedgerStore ledger() {
        return ledger;
    }

    @Override
    protected String election() {
        return "reports";
    }

    @Override
    protected void forget() {
        records.put("reports", null);
    }

    @Override
    protected void putBack(Duration time) {
        String text = Objects.requireNonNull(records.find("reports")).text();
        long since = Instant.now().minus(time).toEpochMilli();
        records.put("reports", new RecordStore.Stored(text.replaceFirst("since=\\d+", "since=" + since), "77"));
    }

    @Override
    protected void changeIncarnation() {
        records.becomeAnother(Duration.ZERO);
    }
}
