package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.EvictReply;
import dev.election.store.EvictReply.Evicted;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.ReleaseReply.NotHeld;
import dev.election.store.RenewReply.Lost;
import dev.election.store.RenewReply.Renewed;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The contract of stores with {@link LeaseStore#eviction}. */
public interface EvictionContract extends LeaseStoreFixture {

    @Test
    default void an_evicted_holder_can_neither_renew_nor_release_nor_come_back() {
        Granted grant = lead(a(), LONG_LEASE);
        assertThat(evict(grant)).isInstanceOf(Evicted.class);
        assertThat(renew(a(), grant, LONG_LEASE))
                .as("a late renewal, whose expiry is ahead")
                .isEqualTo(new Lost(null, COOLDOWN));
        assertThat(release(a(), grant)).isInstanceOf(NotHeld.class);
        Granted next = (Granted) campaign(b(), LONG_LEASE, 0);
        assertThat(next.token().isNewerThan(grant.token())).isTrue();
        assertThat(renew(a(), grant, LONG_LEASE)).isInstanceOfSatisfying(Lost.class, lost -> assertThat(
                        holder(lost).leader().token())
                .isEqualTo(next.token()));
    }

    @Test
    default void an_evicted_holder_hears_for_how_long_it_is_to_stay_out_whoever_leads_by_then() {
        Granted grant = lead(a(), LONG_LEASE);
        evict(grant);
        Granted next = (Granted) campaign(b(), LONG_LEASE, 0);
        assertThat(renew(a(), grant, LONG_LEASE)).isInstanceOfSatisfying(Lost.class, lost -> {
            assertThat(lost.cooldown()).isEqualTo(COOLDOWN);
            assertThat(holder(lost).leader().token()).isEqualTo(next.token());
        });
        release(b(), next);
        assertThat(renew(b(), next, LONG_LEASE)).as("released, not evicted").isEqualTo(new Lost(null));
    }

    @Test
    default void an_eviction_leaves_every_other_leadership_alone() {
        Granted first = lead(a(), LONG_LEASE);
        release(a(), first);
        Granted second = (Granted) campaign(b(), LONG_LEASE, 0);
        assertThat(evict(first)).isInstanceOf(EvictReply.NotHeld.class);
        assertThat(renew(b(), second, LONG_LEASE)).isInstanceOf(Renewed.class);
    }

    @Test
    default void an_eviction_of_nobody_changes_nothing() {
        Granted grant = lead(a(), LONG_LEASE);
        release(a(), grant);
        assertThat(evict(grant)).isInstanceOf(EvictReply.NotHeld.class);
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    default void a_lease_taken_away_for_a_successor_is_kept_for_it_for_a_while() {
        Granted grant = lead(a(), LONG_LEASE);
        assertThat(ask(eviction().evict(new EvictRequest(election(), grant.token(), to("c", LONG_LEASE)))))
                .isInstanceOf(Evicted.class);
        assertThat(campaign(b())).isInstanceOf(Wait.class);
        assertThat(campaign(c())).isInstanceOf(Granted.class);
    }

    @Test
    default void an_eviction_does_not_lift_the_wait_that_follows_forgetting() {
        Granted grant = lead(a(), LONG_LEASE);
        forget();
        renew(a(), grant, LONG_LEASE);
        assertThat(ask(eviction().evict(new EvictRequest(election(), grant.token(), to("c", LEASE)))))
                .isInstanceOf(Evicted.class);
        assertThat(campaign(c())).isInstanceOf(Wait.class);
    }

    private EvictReply evict(Granted grant) {
        return ask(eviction().evict(new EvictRequest(election(), grant.token(), to(null, Duration.ZERO))));
    }

    private Eviction eviction() {
        return store().eviction().orElseThrow();
    }
}
