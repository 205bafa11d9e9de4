package dev.election.store.test;

import static dev.election.LossReason.ABDICATED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreView;
import dev.election.store.AnnounceReply;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EvictReply;
import dev.election.store.EvictReply.Evicted;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.NodeEvent;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseReply.NotHeld;
import dev.election.store.ReleaseReply.Released;
import dev.election.store.ReleaseRequest;
import dev.election.store.ReleaseRequest.Grant;
import dev.election.store.RenewReply;
import dev.election.store.RenewReply.Lost;
import dev.election.store.RenewReply.Renewed;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What every store owes. A store's own test extends this and says how to make it, make it forget and let its time pass. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class LeaseStoreContract {

    protected static final Duration LEASE = Duration.ofMillis(300);

    /** How many leaderships the store under test is to remember. */
    protected static final int HISTORY = 5;

    /** Half of it is more than a busy machine stands still for: for tests that act twice within one lease. */
    protected static final Duration ROOMY_LEASE = Duration.ofMillis(1500);

    private static final Duration LONG_LEASE = Duration.ofSeconds(60);
    private static final Duration SETTLE = Duration.ofMillis(30);
    private static final Duration COOLDOWN = Duration.ofSeconds(7);

    protected String election;

    private Candidate a;
    private Candidate b;
    private Candidate c;

    /** A name of its own for each test, so that tests can share a server. */
    @BeforeEach
    void nameTheElection() {
        election = "contract-" + UUID.randomUUID();
        a = candidate("a");
        b = candidate("b");
        c = candidate("c");
    }

    protected abstract LeaseStore store();

    /** Everything that the store knows of this election is gone. */
    protected abstract void forget();

    /** Notes what the store knows of this election. Run, what it returns brings that back in place of what is there then. */
    protected abstract Runnable save();

    /** The lease alone is gone, as if deleted by hand or evicted. */
    protected abstract void loseLease();

    /** Returns when that much time has passed on the store's clock. */
    protected abstract void pass(Duration time);

    /** What the store knows of this election was written by another incarnation of the server than the present one. */
    protected abstract void changeIncarnation();

    /** A lease that is longer than the present incarnation of the server has been there. It has been there for {@link #ROOMY_LEASE}. */
    protected abstract Duration leaseOlderThanTheServer();

    /** The store's clock goes back by that much, and with it all that is to expire lasts for longer. */
    protected abstract void turnClockBack(Duration time);

    @Test
    void the_first_candidate_ever_waits_for_the_settle_time_and_is_granted_the_lease() {
        assertThat(campaign(a)).isEqualTo(new Wait(SETTLE, 0));
        pass(SETTLE.plusMillis(2));
        assertThat(campaign(a)).isInstanceOf(Granted.class);
    }

    @Test
    void a_grant_says_since_when_and_until_when_it_lasts() {
        Granted grant = lead(a);
        assertThat(Duration.between(grant.since(), grant.expiry())).isEqualTo(LEASE);
    }

    @Test
    void others_learn_who_leads_and_how_long() {
        Granted grant = lead(a);
        assertThat(campaign(b)).isInstanceOfSatisfying(Held.class, held -> {
            assertThat(held.leader().node()).isEqualTo("a");
            assertThat(held.leader().address()).isEqualTo("address of a");
            assertThat(held.leader().token()).isEqualTo(grant.token());
            assertThat(held.leader().since()).isEqualTo(grant.since());
            assertThat(held.remaining()).isBetween(Duration.ZERO, LEASE);
        });
    }

    @Test
    void a_grant_whose_reply_was_lost_is_repeated_with_the_same_token_and_a_full_lease() {
        Granted first = lead(a, ROOMY_LEASE);
        pass(ROOMY_LEASE.dividedBy(2));
        Granted again = (Granted) campaign(a, ROOMY_LEASE, 0);
        assertThat(again.token()).isEqualTo(first.token());
        assertThat(again.since()).isEqualTo(first.since());
        assertThat(again.expiry()).isAfter(first.expiry());
    }

    @Test
    void a_grant_is_not_repeated_once_a_lease_has_passed_without_a_renewal() {
        Granted grant = lead(a, ROOMY_LEASE);
        pass(ROOMY_LEASE.dividedBy(2));
        assertThat(campaign(a, ROOMY_LEASE, 0)).isInstanceOfSatisfying(Granted.class, again -> assertThat(again.token())
                .isEqualTo(grant.token()));
        pass(ROOMY_LEASE.dividedBy(2));
        assertThat(campaign(a, ROOMY_LEASE, 0)).isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.remaining())
                .isLessThanOrEqualTo(ROOMY_LEASE.dividedBy(2)));
        pass(ROOMY_LEASE.dividedBy(2).plusMillis(2));
        assertThat(campaign(b, ROOMY_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void another_candidacy_of_the_same_node_is_not_the_holder() {
        lead(a);
        Candidate restarted = new Candidate(election, UUID.randomUUID().toString(), a.node());
        assertThat(campaign(restarted)).isInstanceOf(Held.class);
    }

    @Test
    void the_holder_extends_its_lease() {
        Granted grant = lead(a, ROOMY_LEASE);
        pass(ROOMY_LEASE.dividedBy(2));
        Renewed renewed = (Renewed) renew(a, grant, ROOMY_LEASE);
        assertThat(renewed.expiry()).isAfter(grant.expiry());
        pass(ROOMY_LEASE.multipliedBy(3).dividedBy(4));
        assertThat(campaign(b, ROOMY_LEASE, 0)).isInstanceOf(Held.class);
    }

    @Test
    void nobody_but_the_holder_extends_its_lease() {
        Granted grant = lead(a, ROOMY_LEASE);
        pass(ROOMY_LEASE.dividedBy(2));
        assertThat(renew(b, grant, ROOMY_LEASE)).isInstanceOfSatisfying(Lost.class, lost -> assertThat(
                        holder(lost).leader().node())
                .isEqualTo("a"));
        pass(ROOMY_LEASE.dividedBy(2).plusMillis(2));
        assertThat(campaign(c, ROOMY_LEASE, 0))
                .as("the lease that a did not renew")
                .isInstanceOf(Granted.class);
    }

    @Test
    void the_holder_with_another_token_does_not_extend_the_lease() {
        Granted grant = lead(a, ROOMY_LEASE);
        Granted other = new Granted(new FencingToken(grant.token().value() - 1), grant.since(), grant.expiry());
        assertThat(renew(a, other, ROOMY_LEASE)).isInstanceOf(Lost.class);
    }

    @Test
    void a_store_that_may_have_lost_a_grant_keeps_everybody_out_for_a_lease() {
        Duration lease = leaseOlderThanTheServer();
        release(a, lead(a, lease));
        changeIncarnation();
        assertThatAllWaitFor(lease, campaign(b, lease, 0));
        assertThatAllWaitFor(lease, campaign(c, lease, 0));
    }

    @Test
    void a_store_that_may_have_lost_a_grant_waits_for_the_longer_lease_of_the_record_and_the_candidate() {
        Duration lease = leaseOlderThanTheServer();
        release(a, lead(a, lease));
        changeIncarnation();
        assertThatAllWaitFor(lease, campaign(b));
    }

    @Test
    void a_store_that_may_have_lost_a_grant_sends_a_roll_call() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        Duration lease = leaseOlderThanTheServer();
        release(a, lead(a, lease));
        changeIncarnation();
        try (LeaseStore.Subscription subscription = store().listen(election, heard::add)) {
            assertThat(next(heard)).isInstanceOf(StoreEvent.Connected.class);
            campaign(b, lease, 0);
            StoreEvent last;
            do {
                // What was told before may still arrive.
                last = next(heard);
            } while (last instanceof StoreEvent.Released);
            assertThat(last).isInstanceOf(StoreEvent.RollCall.class);
        }
    }

    @Test
    void a_leader_of_whom_the_store_has_lost_the_lease_keeps_it_and_its_token_through_a_change_of_incarnation() {
        Duration lease = leaseOlderThanTheServer();
        Granted grant = lead(a, lease);
        loseLease();
        changeIncarnation();
        campaign(b, lease, 0);
        assertThat(renew(a, grant)).isInstanceOf(Renewed.class);
        assertThat(((Held) campaign(b, lease, 0)).leader().token()).isEqualTo(grant.token());
    }

    @Test
    void the_wait_after_a_change_of_incarnation_begins_with_a_renewal_too() {
        Duration lease = leaseOlderThanTheServer();
        Granted grant = lead(a, lease);
        changeIncarnation();
        assertThat(renew(a, grant)).isInstanceOf(Renewed.class);
        release(a, grant);
        assertThat(campaign(b, lease, 0)).isInstanceOf(Wait.class);
    }

    @Test
    void an_incarnation_that_has_been_there_for_a_lease_grants_at_once() {
        release(a, lead(a));
        changeIncarnation();
        assertThat(campaign(b)).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_that_came_back_with_old_data_is_not_granted_again_while_another_may_lead() {
        Duration lease = leaseOlderThanTheServer();
        lead(a, lease);
        changeIncarnation();
        assertThatAllWaitFor(lease, campaign(a, lease, 0));
    }

    @Test
    void a_leader_takes_the_place_of_an_older_one_whose_lease_came_back_with_old_data() {
        Granted old = lead(a, ROOMY_LEASE);
        Runnable restore = save();
        release(a, old);
        Granted newer = (Granted) campaign(b, ROOMY_LEASE, 0);
        restore.run();
        assertThat(renew(b, newer, ROOMY_LEASE)).isInstanceOf(Renewed.class);
        assertThat(view().leader()).hasValueSatisfying(leader -> {
            assertThat(leader.node()).isEqualTo("b");
            assertThat(leader.token()).isEqualTo(newer.token());
        });
        assertThat(renew(a, old)).isInstanceOf(Lost.class);
    }

    @Test
    void a_lease_lasts_no_longer_than_it_was_made_for_when_the_clock_goes_back() {
        lead(a);
        turnClockBack(Duration.ofHours(1));
        assertThat(((Held) campaign(b)).remaining()).isLessThanOrEqualTo(LEASE);
        pass(LEASE.plusMillis(2));
        assertThat(campaign(b)).isInstanceOf(Granted.class);
    }

    @Test
    void nobody_is_kept_out_for_longer_than_was_said_when_the_clock_goes_back() {
        Granted grant = lead(a);
        release(a, grant);
        campaign(b, LEASE, grant.token().value() + 1);
        turnClockBack(Duration.ofHours(1));
        assertThat(((Wait) campaign(b)).remaining()).isLessThanOrEqualTo(LEASE);
        pass(LEASE.plusMillis(2));
        assertThat(campaign(b)).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_that_vanished_is_waited_for_no_longer_than_it_was_made_for_when_the_clock_goes_back() {
        lead(a);
        loseLease();
        turnClockBack(Duration.ofHours(1));
        assertThat(((Wait) campaign(b)).remaining()).isLessThanOrEqualTo(LEASE);
        pass(LEASE.plusMillis(2));
        assertThat(campaign(b)).isInstanceOf(Granted.class);
    }

    @Test
    void candidates_that_have_gone_leave_the_line_when_the_clock_goes_back() {
        lead(a);
        campaign(b);
        turnClockBack(Duration.ofHours(1));
        assertThat(rank(campaign(c))).isEqualTo(1);
        pass(LEASE.multipliedBy(3).plusMillis(2));
        campaign(a);
        assertThat(rank(campaign(c))).isZero();
    }

    @Test
    void a_lease_that_is_not_renewed_goes_to_the_next_with_a_higher_token() {
        Granted first = lead(a);
        pass(LEASE.plusMillis(2));
        Granted second = (Granted) campaign(b);
        assertThat(second.token().isNewerThan(first.token())).isTrue();
    }

    @Test
    void a_renewal_that_comes_after_the_end_of_the_lease_is_lost() {
        Granted grant = lead(a);
        pass(LEASE.plusMillis(2));
        assertThat(renew(a, grant)).isEqualTo(new Lost(null));
    }

    @Test
    void a_renewal_that_comes_after_another_was_granted_the_lease_names_the_holder() {
        Granted grant = lead(a);
        pass(LEASE.plusMillis(2));
        Granted next = (Granted) campaign(b, ROOMY_LEASE, 0);
        assertThat(renew(a, grant)).isInstanceOfSatisfying(Lost.class, lost -> assertThat(
                        holder(lost).leader().token())
                .isEqualTo(next.token()));
    }

    @Test
    void a_holder_whose_lease_was_forgotten_establishes_it_again_with_the_same_token() {
        Granted grant = lead(a, ROOMY_LEASE);
        forget();
        assertThat(renew(a, grant, ROOMY_LEASE)).isInstanceOf(Renewed.class);
        assertThat(campaign(b, ROOMY_LEASE, 0)).isInstanceOfSatisfying(Held.class, held -> {
            assertThat(held.leader().token()).isEqualTo(grant.token());
            assertThat(held.leader().since()).isEqualTo(grant.since());
        });
    }

    @Test
    void a_forgotten_lease_is_not_established_again_after_its_end() {
        Granted grant = lead(a);
        pass(LEASE.plusMillis(2));
        forget();
        assertThat(renew(a, grant)).isEqualTo(new Lost(null));
    }

    @Test
    void a_forgotten_lease_is_not_established_again_once_a_higher_token_was_granted() {
        Granted old = lead(a, LONG_LEASE);
        forget();
        assertThat(campaign(b, LEASE, old.token().value())).isInstanceOf(Wait.class);
        pass(LEASE.plusMillis(2));
        assertThat(campaign(b, LEASE, old.token().value())).isInstanceOf(Granted.class);
        pass(LEASE.plusMillis(2));
        assertThat(renew(a, old))
                .as("the lease of b has ended, but it was granted")
                .isEqualTo(new Lost(null));
    }

    @Test
    void after_forgetting_nobody_is_granted_the_lease_for_a_full_lease_by_one_who_has_seen_a_token() {
        Granted old = lead(a, ROOMY_LEASE);
        forget();
        Wait wait = (Wait) campaign(b, ROOMY_LEASE, old.token().value());
        assertThat(wait.remaining()).isEqualTo(ROOMY_LEASE);
        pass(ROOMY_LEASE.dividedBy(2));
        assertThat(campaign(b, ROOMY_LEASE, old.token().value())).isInstanceOf(Wait.class);
        assertThat(campaign(c, ROOMY_LEASE, 0)).isInstanceOf(Wait.class);
        pass(ROOMY_LEASE.dividedBy(2).plusMillis(2));
        Granted next = (Granted) campaign(b, ROOMY_LEASE, old.token().value());
        assertThat(next.token().isNewerThan(old.token())).isTrue();
    }

    @Test
    void one_who_has_seen_a_token_turns_a_settle_time_into_a_full_lease() {
        Granted old = lead(a);
        forget();
        assertThat(campaign(c)).isEqualTo(new Wait(SETTLE, 0));
        assertThat(((Wait) campaign(b, LEASE, old.token().value())).remaining()).isEqualTo(LEASE);
        pass(SETTLE.plusMillis(2));
        assertThat(campaign(c)).isInstanceOf(Wait.class);
    }

    @Test
    void once_a_forgotten_lease_has_come_back_the_next_holder_waits_for_a_full_lease_even_after_a_release() {
        Granted grant = lead(a, ROOMY_LEASE);
        forget();
        assertThat(renew(a, grant, ROOMY_LEASE)).isInstanceOf(Renewed.class);
        assertThat(release(a, grant)).isInstanceOf(Released.class);
        assertThat(campaign(b, ROOMY_LEASE, grant.token().value())).isInstanceOf(Wait.class);
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b, ROOMY_LEASE, grant.token().value())).isInstanceOf(Granted.class);
    }

    @Test
    void a_successor_does_not_pass_by_the_wait_that_follows_forgetting() {
        Granted grant = lead(a, ROOMY_LEASE);
        forget();
        renew(a, grant, ROOMY_LEASE);
        ask(store().release(new ReleaseRequest(
                a, new Grant(grant.token(), grant.expiry()), ROOMY_LEASE, to("c", ROOMY_LEASE), ABDICATED)));
        assertThat(campaign(c, ROOMY_LEASE, 0)).isInstanceOf(Wait.class);
    }

    @Test
    void a_lease_that_vanished_before_its_time_is_not_granted_to_another_until_it_would_have_ended() {
        Granted grant = lead(a);
        loseLease();
        assertThat(campaign(b)).isInstanceOf(Wait.class);
        assertThat(renew(a, grant)).isInstanceOf(Renewed.class);
        loseLease();
        assertThat(campaign(b)).isInstanceOf(Wait.class);
        pass(LEASE.plusMillis(2));
        assertThat(campaign(b)).isInstanceOf(Granted.class);
    }

    @Test
    void a_released_lease_is_free_at_once() {
        Granted first = lead(a, ROOMY_LEASE);
        assertThat(release(a, first)).isInstanceOf(Released.class);
        Granted second = (Granted) campaign(b, ROOMY_LEASE, 0);
        assertThat(second.token().isNewerThan(first.token())).isTrue();
    }

    @Test
    void nobody_but_the_holder_releases_a_lease() {
        Granted grant = lead(a, ROOMY_LEASE);
        assertThat(release(b, grant)).isInstanceOf(NotHeld.class);
        assertThat(campaign(c, ROOMY_LEASE, 0)).isInstanceOf(Held.class);
    }

    @Test
    void the_holder_with_another_token_does_not_release_the_lease() {
        Granted grant = lead(a, ROOMY_LEASE);
        Granted other = new Granted(new FencingToken(grant.token().value() + 1), grant.since(), grant.expiry());
        assertThat(release(a, other)).isInstanceOf(NotHeld.class);
    }

    @Test
    void a_late_renewal_does_not_bring_a_released_lease_back() {
        Granted grant = lead(a, ROOMY_LEASE);
        release(a, grant);
        assertThat(renew(a, grant, ROOMY_LEASE)).isEqualTo(new Lost(null));
        assertThat(campaign(b, ROOMY_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void a_late_renewal_does_not_bring_back_a_lease_that_was_released_after_the_store_had_forgotten_it() {
        Granted grant = lead(a);
        forget();
        assertThat(release(a, grant)).isInstanceOf(Released.class);
        assertThat(renew(a, grant)).isEqualTo(new Lost(null));
        assertThat(release(a, grant)).as("the second time").isInstanceOf(NotHeld.class);
    }

    @Test
    void after_a_release_of_a_forgotten_lease_the_next_holder_waits_for_a_full_lease() {
        Granted grant = lead(a);
        forget();
        assertThat(release(a, grant)).isInstanceOf(Released.class);
        assertThat(campaign(b, LEASE, grant.token().value())).isInstanceOf(Wait.class);
        pass(LEASE.plusMillis(2));
        assertThat(campaign(b, LEASE, grant.token().value())).isInstanceOf(Granted.class);
    }

    @Test
    void a_release_that_comes_after_the_end_of_a_forgotten_lease_changes_nothing() {
        Granted grant = lead(a);
        pass(LEASE.plusMillis(2));
        forget();
        assertThat(release(a, grant)).isInstanceOf(NotHeld.class);
        assertThat(campaign(b)).as("nobody is known to have led").isEqualTo(new Wait(SETTLE, 0));
    }

    @Test
    void a_release_of_a_forgotten_lease_changes_nothing_once_a_higher_token_was_granted() {
        Granted old = lead(a, LONG_LEASE);
        forget();
        campaign(b, LEASE, old.token().value());
        pass(LEASE.plusMillis(2));
        campaign(b, LEASE, old.token().value());
        pass(LEASE.plusMillis(2));
        assertThat(release(a, old)).isInstanceOf(NotHeld.class);
    }

    @Test
    void a_candidacy_that_ends_gives_back_a_grant_that_it_never_heard_of() {
        lead(a, ROOMY_LEASE);
        assertThat(end(a)).isInstanceOf(Released.class);
        assertThat(campaign(b, ROOMY_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_released_to_a_successor_is_kept_for_it_for_a_while() {
        Granted grant = lead(a);
        ask(store().release(new ReleaseRequest(
                a, new Grant(grant.token(), grant.expiry()), LEASE, to("c", LONG_LEASE), ABDICATED)));
        assertThat(campaign(b)).isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.remaining())
                .isGreaterThan(LEASE));
        assertThat(campaign(c)).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_released_to_a_successor_that_does_not_come_goes_to_anyone() {
        Granted grant = lead(a);
        ask(store().release(new ReleaseRequest(
                a, new Grant(grant.token(), grant.expiry()), LEASE, to("gone", LEASE), ABDICATED)));
        pass(LEASE.plusMillis(2));
        assertThat(campaign(b)).isInstanceOf(Granted.class);
    }

    @Test
    void candidates_stand_in_line_in_the_order_in_which_they_came() {
        Granted grant = lead(a, LONG_LEASE);
        assertThat(rank(campaign(b))).isZero();
        pass(Duration.ofMillis(2));
        assertThat(rank(campaign(c))).isEqualTo(1);
        assertThat(rank(campaign(b))).isZero();
        end(b);
        assertThat(rank(campaign(c))).as("after b has left").isZero();
        release(a, grant);
    }

    @Test
    void candidates_that_are_not_heard_of_any_more_leave_the_line() {
        lead(a, LONG_LEASE);
        campaign(b);
        pass(LEASE.multipliedBy(2));
        assertThat(rank(campaign(c)))
                .as("after a question of it may have been lost")
                .isEqualTo(1);
        pass(LEASE.plusMillis(2));
        assertThat(rank(campaign(c))).isZero();
    }

    @Test
    void tokens_rise_through_everything() {
        List<FencingToken> tokens = new ArrayList<>();
        Granted grant = lead(a);
        tokens.add(grant.token());
        release(a, grant);
        tokens.add(((Granted) campaign(b)).token());
        pass(LEASE.plusMillis(2));
        tokens.add(((Granted) campaign(c)).token());
        forget();
        // Nobody remembers anything: the store's clock still does.
        pass(LEASE);
        campaign(a);
        pass(SETTLE.plusMillis(2));
        tokens.add(((Granted) campaign(a)).token());
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_token_is_greater_than_any_that_a_candidate_has_seen() {
        long future = (1L << 52) + 12345;
        campaign(a, LEASE, future);
        pass(LEASE.plusMillis(2));
        assertThat(((Granted) campaign(a, LEASE, future)).token()).isEqualTo(new FencingToken(future + 1));
    }

    @Test
    void of_many_who_try_at_once_one_is_granted_the_lease() {
        Granted grant = lead(a, LONG_LEASE);
        release(a, grant);
        List<CompletableFuture<CampaignReply>> replies = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            CampaignRequest request = new CampaignRequest(candidate("n" + i), LONG_LEASE, 0, SETTLE);
            replies.add(store().campaign(request).toCompletableFuture());
        }
        assertThat(replies.stream().map(LeaseStoreContract::ask).filter(Granted.class::isInstance))
                .hasSize(1);
    }

    @Test
    void elections_do_not_disturb_each_other() {
        lead(a);
        Candidate elsewhere = new Candidate(election + "-2", "x", new NodeInfo("x", "address of x"));
        campaign(elsewhere);
        pass(SETTLE.plusMillis(2));
        assertThat(campaign(elsewhere)).isInstanceOf(Granted.class);
    }

    @Test
    void an_evicted_holder_can_neither_renew_nor_release_nor_come_back() {
        Granted grant = lead(a, ROOMY_LEASE);
        assertThat(evict(grant)).isInstanceOf(Evicted.class);
        assertThat(renew(a, grant, ROOMY_LEASE))
                .as("a late renewal, whose expiry is ahead")
                .isEqualTo(new Lost(null, COOLDOWN));
        assertThat(release(a, grant)).isInstanceOf(NotHeld.class);
        Granted next = (Granted) campaign(b, ROOMY_LEASE, 0);
        assertThat(next.token().isNewerThan(grant.token())).isTrue();
        assertThat(renew(a, grant, ROOMY_LEASE)).isInstanceOfSatisfying(Lost.class, lost -> assertThat(
                        holder(lost).leader().token())
                .isEqualTo(next.token()));
    }

    @Test
    void an_evicted_holder_hears_for_how_long_it_is_to_stay_out_whoever_leads_by_then() {
        Granted grant = lead(a, ROOMY_LEASE);
        evict(grant);
        Granted next = (Granted) campaign(b, ROOMY_LEASE, 0);
        assertThat(renew(a, grant, ROOMY_LEASE)).isInstanceOfSatisfying(Lost.class, lost -> {
            assertThat(lost.cooldown()).isEqualTo(COOLDOWN);
            assertThat(holder(lost).leader().token()).isEqualTo(next.token());
        });
        release(b, next);
        assertThat(renew(b, next, ROOMY_LEASE)).as("released, not evicted").isEqualTo(new Lost(null));
    }

    @Test
    void candidates_and_the_holder_hear_of_each_others_application() {
        Candidate shop = candidate("shop", "shop");
        Candidate bank = candidate("bank", "bank");
        Granted grant = lead(shop);
        assertThat(renew(shop, grant))
                .isInstanceOfSatisfying(Renewed.class, renewed -> assertThat(renewed.otherApplication())
                        .isEmpty());
        campaign(candidate("shop-2", "shop"));
        campaign(a);
        assertThat(renew(shop, grant))
                .as("its own application, and one without a name")
                .isInstanceOfSatisfying(Renewed.class, renewed -> assertThat(renewed.otherApplication())
                        .isEmpty());
        assertThat(campaign(bank)).isInstanceOfSatisfying(Held.class, held -> assertThat(held.application())
                .isEqualTo("shop"));
        assertThat(renew(shop, grant))
                .isInstanceOfSatisfying(Renewed.class, renewed -> assertThat(renewed.otherApplication())
                        .isEqualTo("bank"));
    }

    @Test
    void an_application_that_is_not_heard_of_any_more_is_not_told_of() {
        Candidate shop = candidate("shop", "shop");
        Granted grant = lead(shop, LONG_LEASE);
        campaign(candidate("bank", "bank"));
        pass(LEASE.multipliedBy(3).dividedBy(2).plusMillis(2));
        assertThat(renew(shop, grant))
                .isInstanceOfSatisfying(Renewed.class, renewed -> assertThat(renewed.otherApplication())
                        .isEmpty());
    }

    @Test
    void a_lease_that_was_forgotten_comes_back_with_its_application() {
        Candidate shop = candidate("shop", "shop");
        Granted grant = lead(shop);
        forget();
        renew(shop, grant);
        assertThat(campaign(candidate("bank", "bank")))
                .isInstanceOfSatisfying(
                        Held.class, held -> assertThat(held.application()).isEqualTo("shop"));
    }

    @Test
    void an_eviction_leaves_every_other_leadership_alone() {
        Granted first = lead(a, ROOMY_LEASE);
        release(a, first);
        Granted second = (Granted) campaign(b, ROOMY_LEASE, 0);
        assertThat(evict(first)).isInstanceOf(EvictReply.NotHeld.class);
        assertThat(renew(b, second, ROOMY_LEASE)).isInstanceOf(Renewed.class);
    }

    @Test
    void an_eviction_of_nobody_changes_nothing() {
        Granted grant = lead(a, ROOMY_LEASE);
        release(a, grant);
        assertThat(evict(grant)).isInstanceOf(EvictReply.NotHeld.class);
        assertThat(campaign(b, ROOMY_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_taken_away_for_a_successor_is_kept_for_it_for_a_while() {
        Granted grant = lead(a);
        assertThat(ask(eviction().evict(new EvictRequest(election, grant.token(), to("c", LONG_LEASE)))))
                .isInstanceOf(Evicted.class);
        assertThat(campaign(b)).isInstanceOf(Wait.class);
        assertThat(campaign(c)).isInstanceOf(Granted.class);
    }

    @Test
    void an_eviction_does_not_lift_the_wait_that_follows_forgetting() {
        Granted grant = lead(a);
        forget();
        renew(a, grant);
        assertThat(ask(eviction().evict(new EvictRequest(election, grant.token(), to("c", LEASE)))))
                .isInstanceOf(Evicted.class);
        assertThat(campaign(c)).isInstanceOf(Wait.class);
    }

    @Test
    void a_look_tells_who_leads_and_for_how_long() {
        assertThat(view().leader()).isEmpty();
        Granted grant = lead(a);
        StoreView view = view();
        assertThat(view.isLedUnder(grant.token())).isTrue();
        assertThat(view.leader()).hasValueSatisfying(leader -> {
            assertThat(leader.node()).isEqualTo("a");
            assertThat(leader.address()).isEqualTo("address of a");
            assertThat(leader.since()).isEqualTo(grant.since());
        });
        assertThat(view.leaseRemaining()).isPositive().isLessThanOrEqualTo(LEASE);
        assertThat(view.readAt()).isAfterOrEqualTo(grant.since());
    }

    @Test
    void the_history_tells_how_each_leadership_ended_the_latest_first() {
        Granted first = lead(a);
        release(a, first);
        Granted second = (Granted) campaign(b);
        pass(LEASE.plusMillis(2));
        assertThat(view().leaderships().get(0))
                .as("a leader that died, before anybody has taken over")
                .satisfies(term -> assertThat(term.reason()).isEqualTo(LossReason.EXPIRED));
        Granted third = (Granted) campaign(c);
        evict(third);
        Granted last = (Granted) campaign(a);
        List<LeadershipRecord> leaderships = view().leaderships();
        assertThat(leaderships)
                .extracting(term -> term.leader().token())
                .containsExactly(last.token(), third.token(), second.token(), first.token());
        assertThat(leaderships).extracting(term -> term.leader().node()).containsExactly("a", "c", "b", "a");
        assertThat(leaderships)
                .extracting(LeadershipRecord::reason)
                .containsExactly(null, LossReason.EVICTED, LossReason.EXPIRED, ABDICATED);
        assertThat(leaderships.get(2).until()).isEqualTo(second.expiry());
        assertThat(leaderships.get(0).until()).isNull();
        assertThat(leaderships.get(3).until()).isAfterOrEqualTo(first.since()).isBeforeOrEqualTo(second.since());
    }

    @Test
    void a_lease_that_was_forgotten_and_came_back_is_in_the_history_once() {
        Granted grant = lead(a);
        forget();
        renew(a, grant);
        loseLease();
        renew(a, grant);
        assertThat(view().leaderships()).singleElement().satisfies(term -> {
            assertThat(term.leader().token()).isEqualTo(grant.token());
            assertThat(term.leader().since()).isEqualTo(grant.since());
            assertThat(term.until()).isNull();
        });
        release(a, grant);
        assertThat(view().leaderships())
                .singleElement()
                .extracting(LeadershipRecord::reason)
                .isEqualTo(ABDICATED);
    }

    @Test
    void the_history_keeps_the_last_leaderships_only() {
        Granted grant = lead(a, ROOMY_LEASE);
        for (int i = 0; i < HISTORY; i++) {
            release(a, grant);
            grant = (Granted) campaign(a, ROOMY_LEASE, 0);
        }
        assertThat(view().leaderships()).hasSize(HISTORY);
        assertThat(view().leaderships().get(0).leader().token()).isEqualTo(grant.token());
    }

    @Test
    void messages_reach_all_who_listen() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        FencingToken token = new FencingToken(7);
        List<NodeMessage> messages = List.of(
                new NodeMessage.AbdicationRequested("r", token, Abdication.toAnyone()),
                new NodeMessage.AbdicationRequested("r", token, to("n-1", LEASE).drainingFor(LEASE)),
                new NodeMessage.AbdicationHeard("r", LEASE));
        try (LeaseStore.Subscription subscription = store().listen(election, heard::add)) {
            assertThat(next(heard)).isInstanceOf(StoreEvent.Connected.class);
            for (NodeMessage message : messages) {
                assertThat(ask(messaging().announce(election, message))).isInstanceOf(AnnounceReply.Announced.class);
                assertThat(next(heard)).isEqualTo(new StoreEvent.Received(message));
            }
        }
    }

    @Test
    void what_a_process_says_of_itself_reaches_those_with_the_same_node_id_and_nobody_else()
            throws InterruptedException {
        LinkedBlockingQueue<NodeEvent> one = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<NodeEvent> same = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<NodeEvent> another = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<StoreEvent> inElection = new LinkedBlockingQueue<>();
        // A name that an election could have too.
        String node = election;
        try (LeaseStore.Subscription first = messaging().listenAs(node, one::add);
                LeaseStore.Subscription second = messaging().listenAs(node, same::add);
                LeaseStore.Subscription third = messaging().listenAs(node + "-1", another::add);
                LeaseStore.Subscription fourth = store().listen(election, inElection::add)) {
            assertThat(next(one)).isInstanceOf(NodeEvent.Connected.class);
            assertThat(next(another)).isInstanceOf(NodeEvent.Connected.class);
            assertThat(next(inElection)).isInstanceOf(StoreEvent.Connected.class);
            NodeEvent.Present present = new NodeEvent.Present("i", false);
            // The second time it says the same.
            for (NodeEvent.Present said : List.of(present, present, new NodeEvent.Present("j", true))) {
                announceAs(node, said);
                assertThat(next(one)).isEqualTo(said);
                assertThat(nextPresent(same)).isEqualTo(said);
            }
            NodeEvent.Present last = new NodeEvent.Present("last", true);
            announceAs(node + "-1", last);
            assertThat(next(another)).as("the first that it hears").isEqualTo(last);
            NodeMessage message = new NodeMessage.AbdicationHeard("r", LEASE);
            ask(messaging().announce(election, message));
            assertThat(next(inElection)).as("the first that it hears").isEqualTo(new StoreEvent.Received(message));
        }
        assertThat(one).isEmpty();
        assertThat(same).isEmpty();
    }

    @Test
    void who_has_come_later_or_left_is_not_told_what_was_said_before_or_since() throws InterruptedException {
        LinkedBlockingQueue<NodeEvent> early = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<NodeEvent> late = new LinkedBlockingQueue<>();
        NodeEvent.Present before = new NodeEvent.Present("before", false);
        NodeEvent.Present after = new NodeEvent.Present("after", false);
        LeaseStore.Subscription first = messaging().listenAs(election, early::add);
        assertThat(next(early)).isInstanceOf(NodeEvent.Connected.class);
        announceAs(election, before);
        assertThat(next(early)).isEqualTo(before);
        try (LeaseStore.Subscription second = messaging().listenAs(election, late::add)) {
            // One store subscribes once, and need not tell the second listener that it has.
            while (!late.contains(after)) {
                announceAs(election, after);
                assertThat(nextPresent(early)).isEqualTo(after);
            }
            first.close();
            early.clear();
            NodeEvent.Present last = new NodeEvent.Present("last", false);
            announceAs(election, last);
            // What it has heard may be repeated.
            for (NodeEvent heard = after; !heard.equals(last); heard = nextPresent(late)) {
                assertThat(heard).isEqualTo(after);
            }
        }
        assertThat(early).isEmpty();
    }

    @Test
    void events_tell_of_grants_releases_and_roll_calls() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        try (LeaseStore.Subscription subscription = store().listen(election, heard::add)) {
            assertThat(next(heard)).isInstanceOf(StoreEvent.Connected.class);
            Granted grant = lead(a);
            assertThat(next(heard)).isInstanceOf(StoreEvent.RollCall.class);
            assertThat(next(heard)).isInstanceOfSatisfying(StoreEvent.Acquired.class, acquired -> {
                assertThat(acquired.leader().node()).isEqualTo("a");
                assertThat(acquired.leader().address()).isEqualTo("address of a");
                assertThat(acquired.leader().token()).isEqualTo(grant.token());
                assertThat(acquired.leader().since()).isEqualTo(grant.since());
                assertThat(acquired.remaining()).isEqualTo(LEASE);
            });
            ask(store().release(new ReleaseRequest(
                    a, new Grant(grant.token(), grant.expiry()), LEASE, to("c", LEASE), ABDICATED)));
            assertThat(next(heard)).isEqualTo(new StoreEvent.Released(grant.token(), "c", LEASE));
        }
    }

    @Test
    void whoever_listens_no_more_hears_no_more() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> left = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<StoreEvent> stayed = new LinkedBlockingQueue<>();
        LeaseStore.Subscription subscription = store().listen(election, left::add);
        assertThat(next(left)).isInstanceOf(StoreEvent.Connected.class);
        try (LeaseStore.Subscription other = store().listen(election, stayed::add)) {
            subscription.close();
            left.clear();
            lead(a);
            StoreEvent heard;
            do {
                heard = next(stayed);
            } while (!(heard instanceof StoreEvent.Acquired));
        }
        assertThat(left).isEmpty();
    }

    @Test
    void what_is_asked_together_is_answered_as_if_each_had_come_alone() {
        Granted grant = lead(a, ROOMY_LEASE);
        Candidate elsewhere = new Candidate(election + "-2", "c-elsewhere", c.node());
        List<CompletionStage<?>> asked = new ArrayList<>();
        store().together(() -> {
            asked.add(store().renew(new RenewRequest(a, grant.token(), grant.since(), grant.expiry(), ROOMY_LEASE)));
            asked.add(store().campaign(new CampaignRequest(elsewhere, ROOMY_LEASE, 0, SETTLE)));
            asked.add(store().campaign(new CampaignRequest(b, ROOMY_LEASE, 0, SETTLE)));
        });
        assertThat(ask(asked.get(0))).isInstanceOf(RenewReply.Renewed.class);
        assertThat(ask(asked.get(1))).isInstanceOf(Wait.class);
        assertThat(ask(asked.get(2))).isInstanceOf(Held.class);
    }

    protected final Candidate candidate(String node) {
        return candidate(node, "");
    }

    private Candidate candidate(String node, String application) {
        return new Candidate(
                election, node + "-" + UUID.randomUUID(), new NodeInfo(node, "address of " + node, application));
    }

    protected final Granted lead(Candidate candidate) {
        return lead(candidate, LEASE);
    }

    protected final CampaignReply campaign(Candidate candidate) {
        return campaign(candidate, LEASE, 0);
    }

    protected final RenewReply renew(Candidate candidate, Granted grant) {
        return renew(candidate, grant, LEASE);
    }

    private RenewReply renew(Candidate candidate, Granted grant, Duration lease) {
        return ask(store().renew(new RenewRequest(candidate, grant.token(), grant.since(), grant.expiry(), lease)));
    }

    protected static <T> T ask(CompletionStage<T> reply) {
        try {
            return reply.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("The store gave no reply", e);
        }
    }

    /** Give or take what has passed since. */
    private static void assertThatAllWaitFor(Duration time, CampaignReply reply) {
        assertThat(reply).isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.remaining())
                .isBetween(time.minusSeconds(5), time));
    }

    protected final Granted lead(Candidate candidate, Duration lease) {
        Wait settling = (Wait) campaign(candidate, lease, 0);
        pass(settling.remaining().plusMillis(2));
        return (Granted) campaign(candidate, lease, 0);
    }

    private CampaignReply campaign(Candidate candidate, Duration lease, long seen) {
        return ask(store().campaign(new CampaignRequest(candidate, lease, seen, SETTLE)));
    }

    private Eviction eviction() {
        return store().eviction().orElseThrow();
    }

    private NodeMessaging messaging() {
        return store().messaging().orElseThrow();
    }

    private void announceAs(String node, NodeEvent.Present present) {
        assertThat(ask(messaging().announceAs(node, present))).isInstanceOf(AnnounceReply.Announced.class);
    }

    private EvictReply evict(Granted grant) {
        return ask(eviction().evict(new EvictRequest(election, grant.token(), to(null, Duration.ZERO))));
    }

    private StoreView view() {
        return ((ReadReply.Read) ask(store().read(election))).view();
    }

    private static Abdication to(@Nullable String successor, Duration reserve) {
        return new Abdication(null, COOLDOWN, successor, reserve);
    }

    private ReleaseReply release(Candidate candidate, Granted grant) {
        Grant held = new Grant(grant.token(), grant.expiry());
        return ask(store().release(new ReleaseRequest(candidate, held, LEASE, ABDICATED)));
    }

    private ReleaseReply end(Candidate candidate) {
        return ask(store().release(new ReleaseRequest(candidate, null, LEASE, ABDICATED)));
    }

    protected static int rank(CampaignReply reply) {
        return ((Held) reply).rank().orElseThrow();
    }

    private static NodeEvent nextPresent(LinkedBlockingQueue<NodeEvent> heard) throws InterruptedException {
        NodeEvent event = next(heard);
        return event instanceof NodeEvent.Connected ? nextPresent(heard) : event;
    }

    private static <E> E next(LinkedBlockingQueue<E> heard) throws InterruptedException {
        E event = heard.poll(20, TimeUnit.SECONDS);
        assertThat(event).as("an event").isNotNull();
        return event;
    }

    private static Held holder(Lost lost) {
        return Objects.requireNonNull(lost.holder(), "nobody holds the lease");
    }
}
