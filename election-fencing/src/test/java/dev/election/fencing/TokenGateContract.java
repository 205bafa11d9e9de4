package dev.election.fencing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.fencing.TokenGate.Admitted;
import dev.election.fencing.TokenGate.Implausible;
import dev.election.fencing.TokenGate.Stale;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What every gate of tokens owes. */
public abstract class TokenGateContract {

    private static final long DAY = 86_400_000;

    /** One whose keeper has no token of these tests, and that accepts tokens so far ahead of the clock. */
    protected abstract TokenGate gate(Duration ahead);

    protected TokenGate gate() {
        return gate(TokenGate.PLAUSIBLE_AHEAD);
    }

    @Test
    void a_token_is_admitted_until_a_newer_one_was() {
        assertThat(admit("billing", 10)).isEqualTo(new Admitted());
        assertThat(admit("billing", 10)).isEqualTo(new Admitted());
        assertThat(admit("billing", 12)).isEqualTo(new Admitted());

        assertThat(admit("billing", 11)).isEqualTo(new Stale(new FencingToken(12)));
        assertThat(admit("billing", 11).isAdmitted()).isFalse();
        assertThat(admit("billing", 12).isAdmitted()).isTrue();
    }

    @Test
    void resources_know_nothing_of_each_other() {
        admit("billing", 12);

        assertThat(admit("reports", 10)).isEqualTo(new Admitted());
    }

    @Test
    void a_forged_token_shuts_nobody_out() {
        long now = System.currentTimeMillis();
        assertThat(admit("billing", now)).isEqualTo(new Admitted());

        TokenGate.Admission forged = admit("billing", (1L << 53) - 1);
        assertThat(forged).isInstanceOfSatisfying(Implausible.class, implausible -> assertThat(implausible.limit())
                .isBetween(now + DAY - 60_000, now + DAY + 60_000));
        assertThat(admit("billing", now + 1)).isEqualTo(new Admitted());
        assertThat(admit("reports", (1L << 53) - 1)).isInstanceOf(Implausible.class);
    }

    @Test
    void a_token_less_than_a_day_beyond_the_clock_is_plausible() {
        long ahead = System.currentTimeMillis() + DAY - 60_000;
        assertThat(admit("billing", ahead)).isEqualTo(new Admitted());

        assertThat(admit("billing", ahead + 120_000)).isInstanceOf(Implausible.class);
        assertThat(admit("billing", ahead)).isEqualTo(new Admitted());
    }

    @Test
    void a_series_of_forged_tokens_shuts_nobody_out_for_longer_than_one() {
        long now = System.currentTimeMillis();
        long highest = now;
        for (int i = 0; i < 400; i++) {
            highest = admit("billing", highest + DAY - 60_000).isAdmitted() ? highest + DAY - 60_000 : highest;
        }
        assertThat(highest).isLessThanOrEqualTo(now + DAY);
    }

    @Test
    void where_the_clock_of_the_store_was_once_ahead_more_is_accepted() {
        TokenGate gate = gate(Duration.ofDays(400));
        FencingToken token = new FencingToken(System.currentTimeMillis() + 366 * DAY);
        assertThat(gate.admit("ahead", token)).isEqualTo(new Admitted());
        assertThat(gate.admit("ahead", new FencingToken((1L << 53) - 1))).isInstanceOf(Implausible.class);
    }

    @Test
    void of_many_at_once_the_highest_stays() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 1; i <= 200; i++) {
                long token = (i * 37L) % 200 + 1;
                all.add(threads.submit(() -> admit("billing", token)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            threads.shutdownNow();
        }
        assertThat(admit("billing", 199)).isEqualTo(new Stale(new FencingToken(200)));
        assertThat(admit("billing", 200)).isEqualTo(new Admitted());
    }

    private TokenGate.Admission admit(String resource, long token) {
        return gate().admit(resource, new FencingToken(token));
    }
}
