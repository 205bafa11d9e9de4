package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.Held;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The contract of stores with an order of succession: their replies tell each candidate its rank. */
public interface SuccessionContract extends LeaseStoreFixture {

    @Test
    default void candidates_stand_in_line_in_the_order_in_which_they_came() {
        Granted grant = lead(a(), LONG_LEASE);
        assertThat(rank(campaign(b(), LONG_LEASE, 0))).isZero();
        pass(Duration.ofMillis(2));
        assertThat(rank(campaign(c(), LONG_LEASE, 0))).isEqualTo(1);
        assertThat(rank(campaign(b(), LONG_LEASE, 0))).isZero();
        end(b());
        assertThat(rank(campaign(c(), LONG_LEASE, 0))).as("after b has left").isZero();
        release(a(), grant);
    }

    @Test
    default void candidates_that_are_not_heard_of_any_more_leave_the_line() {
        lead(a(), LONG_LEASE);
        campaign(b(), ROOMY_LEASE, 0);
        pass(ROOMY_LEASE.multipliedBy(2));
        assertThat(rank(campaign(c(), ROOMY_LEASE, 0)))
                .as("after a question of it may have been lost")
                .isEqualTo(1);
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(rank(campaign(c(), ROOMY_LEASE, 0))).isZero();
    }

    @Test
    default void candidates_that_have_gone_leave_the_line_when_the_clock_goes_back() {
        lead(a(), LONG_LEASE);
        campaign(b(), LONG_LEASE, 0);
        turnClockBack(Duration.ofHours(1));
        assertThat(rank(campaign(c()))).isEqualTo(1);
        pass(LEASE.multipliedBy(3).plusMillis(2));
        assertThat(rank(campaign(c()))).isZero();
    }

    /** Returns the rank in the reply to a candidate that is not granted the lease. */
    default int rank(CampaignReply reply) {
        return ((Held) reply).rank().orElseThrow();
    }
}
