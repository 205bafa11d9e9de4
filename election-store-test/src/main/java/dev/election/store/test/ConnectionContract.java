package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.Held;
import dev.election.store.NoAnswer;
import dev.election.store.RenewReply;
import dev.election.store.RenewReply.Renewed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The contract of stores that can't name their incarnation, so that only connections prove that a store is the same. {@link #changeIncarnation}
 * ends them.
 */
public interface ConnectionContract extends LeaseStoreFixture {

    @Test
    default void after_the_end_of_the_connections_everybody_is_kept_out_for_a_lease() {
        release(a(), lead(a(), LONG_LEASE));
        changeIncarnation();
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOf(Wait.class);
        pass(LONG_LEASE.minusMillis(1));
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOf(Wait.class);
        assertThat(campaign(a(), LONG_LEASE, 0)).isInstanceOf(Wait.class);
        pass(Duration.ofMillis(1));
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    default void after_the_end_of_the_connections_a_shorter_lease_waits_for_the_longer_one_of_the_record() {
        release(a(), lead(a(), LONG_LEASE));
        changeIncarnation();
        campaign(b());
        pass(LONG_LEASE.minusMillis(1));
        assertThat(campaign(b())).isInstanceOf(Wait.class);
        pass(Duration.ofMillis(1));
        assertThat(campaign(b())).isInstanceOf(Granted.class);
    }

    @Test
    default void a_leader_keeps_its_lease_and_its_token_through_the_end_of_the_connections() {
        Granted grant = lead(a(), LONG_LEASE);
        changeIncarnation();
        RenewReply first = renew(a(), grant, LONG_LEASE);
        assertThat(first).isInstanceOfAny(Renewed.class, NoAnswer.class);
        assertThat(renew(a(), grant, LONG_LEASE)).isInstanceOf(Renewed.class);
        assertThat(((Held) campaign(b(), LONG_LEASE, 0)).leader().token()).isEqualTo(grant.token());
    }

    @Test
    default void a_leader_whose_lease_was_lost_with_the_connections_makes_it_anew() {
        Granted grant = lead(a(), LONG_LEASE);
        loseLease();
        changeIncarnation();
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOf(Wait.class);
        CampaignReply unused = campaign(c(), LONG_LEASE, 0);
        renew(a(), grant, LONG_LEASE);
        assertThat(renew(a(), grant, LONG_LEASE)).isInstanceOf(Renewed.class);
        assertThat(((Held) campaign(b(), LONG_LEASE, 0)).leader().token()).isEqualTo(grant.token());
    }
}
