package dev.election.redis.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class KnownPrimaryTest {

    private static final ServerAddress A = new ServerAddress("10.0.0.1", 6379);
    private static final ServerAddress B = new ServerAddress("10.0.0.2", 6379);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long UNKNOWN = SentinelAnswer.NO_EPOCH;

    private final KnownPrimary known = new KnownPrimary(3);
    private long now = Long.MAX_VALUE - 20 * SECOND;

    @Test
    void the_highest_epoch_wins() {
        assertThat(looked(says(1, A), says(2, B))).isEqualTo(B);
    }

    @Test
    void a_failover_is_believed_although_two_of_three_Sentinels_have_not_heard_of_it() {
        looked(says(1, A), says(1, A), says(1, A));
        heard(says(2, B));
        assertThat(known.believed()).isEqualTo(B);
        assertThat(looked(says(1, A), says(2, B), says(1, A))).isEqualTo(B);
        assertThat(looked(says(1, A), says(1, A))).as("that Sentinel is silent").isEqualTo(B);
    }

    @Test
    void a_higher_epoch_brings_an_old_address_back() {
        looked(says(1, A), says(1, A), says(1, A));
        assertThat(looked(says(2, B), says(2, B), says(2, B))).isEqualTo(B);
        assertThat(looked(says(2, B), says(3, A), says(2, B))).isEqualTo(A);
    }

    @Test
    void a_stale_Sentinel_that_answers_alone_is_not_believed_over_what_was_heard_before() {
        looked(says(1, A), says(2, B), says(2, B));
        pass(60);
        heard(says(1, A));
        assertThat(looked(says(1, A))).isEqualTo(B);
    }

    @Test
    void a_majority_with_a_lower_epoch_is_believed_once_a_failover_would_have_spread() {
        looked(says(1, A), says(1, A), says(1, A));
        assertThat(looked(says(7, B), says(1, A), says(1, A))).isEqualTo(B);
        pass(9);
        assertThat(looked(says(7, B), says(0, A), says(0, A))).isEqualTo(B);
        pass(1);
        assertThat(looked(says(7, B), says(0, A), says(0, A))).isEqualTo(A);
        assertThat(looked(says(7, B), says(0, A))).as("no majority any more").isEqualTo(A);
        assertThat(looked(says(8, B), says(0, A), says(0, A))).as("news").isEqualTo(B);
    }

    @Test
    void Sentinels_that_were_made_anew_are_believed_at_once_by_a_process_that_has_just_started() {
        assertThat(looked(says(5, A), says(0, B), says(0, B))).isEqualTo(B);
        assertThat(looked(says(5, A))).isEqualTo(B);
    }

    @Test
    void half_of_the_Sentinels_are_no_majority() {
        KnownPrimary four = new KnownPrimary(4);
        four.looked(List.of(says(5, A), says(5, A), says(5, A), says(5, A)), now);
        pass(60);
        assertThat(four.looked(List.of(says(0, B), says(0, B)), now)).isEqualTo(A);
        assertThat(four.looked(List.of(says(0, B), says(0, B), says(0, B)), now))
                .isEqualTo(B);
    }

    /** As services do that speak like Sentinels. */
    @Test
    void without_epochs_a_majority_is_believed_and_else_the_first_that_answers() {
        assertThat(looked(says(UNKNOWN, A), says(UNKNOWN, A))).isEqualTo(A);
        assertThat(looked(says(UNKNOWN, B), says(UNKNOWN, A))).isEqualTo(B);
        assertThat(looked(says(UNKNOWN, A), says(UNKNOWN, B), says(UNKNOWN, B))).isEqualTo(B);
    }

    private void pass(long seconds) {
        now += seconds * SECOND;
    }

    private void heard(SentinelAnswer answer) {
        known.heard(answer, now);
    }

    private ServerAddress looked(SentinelAnswer... answers) {
        return known.looked(List.of(answers), now);
    }

    private static SentinelAnswer says(long epoch, ServerAddress server) {
        return new SentinelAnswer(epoch, server);
    }
}
