package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.RenewReply.Renewed;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The contract of stores that can name their incarnation. */
public interface IncarnationContract extends LeaseStoreFixture {

    @Test
    default void a_store_that_may_have_lost_a_grant_keeps_everybody_out_for_a_lease() {
        Duration lease = leaseOlderThanTheServer();
        release(a(), lead(a(), lease));
        changeIncarnation();
        assertThatAllWaitFor(lease, campaign(b(), lease, 0));
        assertThatAllWaitFor(lease, campaign(c(), lease, 0));
    }

    @Test
    default void a_store_that_may_have_lost_a_grant_waits_for_the_longer_lease_of_the_record_and_the_candidate() {
        Duration lease = leaseOlderThanTheServer();
        release(a(), lead(a(), lease));
        changeIncarnation();
        assertThatAllWaitFor(lease, campaign(b()));
    }

    @Test
    default void a_store_that_may_have_lost_a_grant_sends_a_roll_call() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        Duration lease = leaseOlderThanTheServer();
        try (LeaseStore.Subscription subscription = store().listen(election(), heard::add)) {
            assertThat(next(heard)).isInstanceOf(StoreEvent.Connected.class);
            release(a(), lead(a(), lease));
            // Events of these requests may arrive late, and must not be taken for those of the next one.
            StoreEvent last;
            do {
                last = next(heard);
            } while (!(last instanceof StoreEvent.Released));
            changeIncarnation();
            campaign(b(), lease, 0);
            do {
                last = next(heard);
            } while (last instanceof StoreEvent.Connected);
            assertThat(last).isInstanceOf(StoreEvent.RollCall.class);
        }
    }

    @Test
    default void
            a_leader_of_whom_the_store_has_lost_the_lease_keeps_it_and_its_token_through_a_change_of_incarnation() {
        Duration lease = leaseOlderThanTheServer();
        Granted grant = lead(a(), lease);
        loseLease();
        changeIncarnation();
        campaign(b(), lease, 0);
        assertThat(renew(a(), grant, lease)).isInstanceOf(Renewed.class);
        assertThat(((Held) campaign(b(), lease, 0)).leader().token()).isEqualTo(grant.token());
    }

    @Test
    default void the_wait_after_a_change_of_incarnation_begins_with_a_renewal_too() {
        Duration lease = leaseOlderThanTheServer();
        Granted grant = lead(a(), lease);
        changeIncarnation();
        assertThat(renew(a(), grant, lease)).isInstanceOf(Renewed.class);
        Duration meanwhile = Duration.ofMillis(50);
        pass(meanwhile);
        release(a(), grant);
        assertThat(campaign(b(), lease, 0)).isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.remaining())
                .isLessThanOrEqualTo(lease.minus(meanwhile)));
    }

    @Test
    default void an_incarnation_that_has_been_there_for_a_lease_grants_at_once() {
        release(a(), lead(a()));
        // Where the store can't tell its age, that time must pass since this process has seen it first.
        pass(LEASE);
        changeIncarnation();
        assertThat(campaign(b())).isInstanceOf(Granted.class);
    }

    @Test
    default void a_lease_that_came_back_with_old_data_is_not_granted_again_while_another_may_lead() {
        Duration lease = leaseOlderThanTheServer();
        lead(a(), lease);
        changeIncarnation();
        assertThatAllWaitFor(lease, campaign(a(), lease, 0));
    }

    /** Allows for the time that has passed since. */
    private static void assertThatAllWaitFor(Duration time, CampaignReply reply) {
        assertThat(reply).isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.remaining())
                .isBetween(time.minusSeconds(5), time));
    }
}
