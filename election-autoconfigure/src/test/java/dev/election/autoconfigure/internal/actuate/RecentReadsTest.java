package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentReadsTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final AtomicLong nanos = new AtomicLong(-5);
    private final RecentReads<Integer> reads = new RecentReads<>(nanos::get);
    private String knowledge = "node-1 leads";
    private int count;

    @Test
    void callers_within_the_age_share_one_read() {
        assertThat(get("a", SECOND)).isEqualTo(1);
        nanos.addAndGet(SECOND.toNanos() - 1);
        assertThat(get("a", SECOND)).isEqualTo(1);
        nanos.addAndGet(1);
        assertThat(get("a", SECOND)).isEqualTo(2);
    }

    @Test
    void each_election_is_read_for_itself() {
        assertThat(get("a", SECOND)).isEqualTo(1);
        assertThat(get("b", SECOND)).isEqualTo(2);
    }

    @Test
    void who_accepts_no_age_gets_a_read_of_its_own() {
        assertThat(get("a", SECOND)).isEqualTo(1);
        assertThat(get("a", Duration.ZERO)).isEqualTo(2);
        assertThat(get("a", SECOND)).isEqualTo(1);
    }

    @Test
    void a_failure_is_shared_too() {
        CompletableFuture<Integer> failed = CompletableFuture.failedFuture(new IllegalStateException());
        assertThat(reads.get("a", knowledge, SECOND, () -> failed)).isSameAs(failed);
        assertThat(reads.get("a", knowledge, SECOND, this::read)).isSameAs(failed);
    }

    @Test
    void a_read_from_before_a_change_that_this_process_knows_of_is_not_shared() {
        assertThat(get("a", SECOND)).isEqualTo(1);
        knowledge = "node-2 leads";
        assertThat(get("a", SECOND)).isEqualTo(2);
        assertThat(get("a", SECOND)).isEqualTo(2);
    }

    private int get(String election, Duration maxAge) {
        return reads.get(election, knowledge, maxAge, this::read)
                .toCompletableFuture()
                .join();
    }

    private CompletionStage<Integer> read() {
        return CompletableFuture.completedFuture(++count);
    }
}
