package dev.election.store.test;

import static dev.election.LossReason.ABDICATED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.NodeInfo;
import dev.election.StoreView;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
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
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * The contract of every store. A store's own test extends this, says how to make the store, make it forget and let its time pass, and
 * implements the contract of each capability that the store has: {@link SuccessionContract}, {@link HistoryContract},
 * {@link EvictionContract}, {@link MessagingContract}.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class LeaseStoreContract implements LeaseStoreFixture {

    /** The names of the test on this thread. Many tests may run at the same time, since most of their time is waiting for the store. */
    private static final ThreadLocal<Names> NAMES = ThreadLocal.withInitial(() -> {
        throw new IllegalStateException("No test runs on this thread");
    });

    /** A name of its own for each test, so that tests can share a server. */
    @BeforeEach
    void nameTheElection() {
        NAMES.set(Names.drawn());
    }

    @Override
    public final String election() {
        return NAMES.get().election;
    }

    @Override
    public final Candidate a() {
        return NAMES.get().a;
    }

    @Override
    public final Candidate b() {
        return NAMES.get().b;
    }

    @Override
    public final Candidate c() {
        return NAMES.get().c;
    }

    /**
     * The names of one test.
     *
     * @param election the name of the election
     * @param a the first candidate
     * @param b the second
     * @param c the third
     */
    private record Names(String election, Candidate a, Candidate b, Candidate c) {

        static Names drawn() {
            String election = "contract-" + UUID.randomUUID();
            return new Names(election, candidate(election, "a"), candidate(election, "b"), candidate(election, "c"));
        }

        private static Candidate candidate(String election, String node) {
            return new Candidate(election, node + "-" + UUID.randomUUID(), new NodeInfo(node, "address of " + node));
        }
    }

    @Test
    void each_capability_that_the_store_has_is_tested_and_no_other() {
        lead(a(), LONG_LEASE);
        Held second = (Held) campaign(b(), LONG_LEASE, 0);
        assertTested(SuccessionContract.class, second.rank().isPresent());
        assertTested(HistoryContract.class, store().leadershipsKept() > 0);
        assertTested(EvictionContract.class, store().eviction().isPresent());
        assertTested(MessagingContract.class, store().messaging().isPresent());
    }

    /** Fails if the store has the capability and the test leaves out its contract, or the reverse. */
    private void assertTested(Class<? extends LeaseStoreFixture> contract, boolean has) {
        assertThat(contract.isInstance(this))
                .as("%s implements %s", getClass().getSimpleName(), contract.getSimpleName())
                .isEqualTo(has);
    }

    @Test
    void the_first_candidate_ever_waits_for_the_settle_time_and_is_granted_the_lease() {
        assertThat(campaign(a())).isEqualTo(firstInQueue(SETTLE));
        pass(SETTLE.plusMillis(2));
        assertThat(campaign(a())).isInstanceOf(Granted.class);
    }

    @Test
    void a_grant_says_since_when_and_until_when_it_lasts() {
        Granted grant = lead(a());
        assertThat(Duration.between(grant.since(), grant.expiry())).isEqualTo(LEASE);
    }

    @Test
    void others_learn_who_leads_and_how_long() {
        Granted grant = lead(a(), LONG_LEASE);
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOfSatisfying(Held.class, held -> {
            assertThat(held.leader().node()).isEqualTo("a");
            assertThat(held.leader().address()).isEqualTo("address of a");
            assertThat(held.leader().token()).isEqualTo(grant.token());
            assertThat(held.leader().since()).isEqualTo(grant.since());
            assertThat(held.remaining()).isBetween(Duration.ZERO, LONG_LEASE);
        });
    }

    @Test
    void a_grant_whose_reply_was_lost_is_repeated_with_the_same_token_and_a_full_lease() {
        Granted first = lead(a(), LONG_LEASE);
        pass(Duration.ofMillis(2));
        Granted again = (Granted) campaign(a(), LONG_LEASE, 0);
        assertThat(again.token()).isEqualTo(first.token());
        assertThat(again.since()).isEqualTo(first.since());
        assertThat(again.expiry()).isAfter(first.expiry());
    }

    @Test
    void a_grant_is_not_repeated_once_a_lease_has_passed_without_a_renewal() {
        Duration lease = ROOMY_LEASE.multipliedBy(2);
        Granted grant = lead(a(), lease);
        pass(ROOMY_LEASE);
        assertThat(campaign(a(), lease, 0)).isInstanceOfSatisfying(Granted.class, again -> assertThat(again.token())
                .isEqualTo(grant.token()));
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(a(), lease, 0)).isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.remaining())
                .isLessThanOrEqualTo(ROOMY_LEASE));
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b(), lease, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void another_candidacy_of_the_same_node_is_not_the_holder() {
        lead(a(), LONG_LEASE);
        Candidate restarted = new Candidate(election(), UUID.randomUUID().toString(), a().node());
        assertThat(campaign(restarted, LONG_LEASE, 0)).isInstanceOf(Held.class);
    }

    @Test
    void the_holder_extends_its_lease() {
        Duration lease = ROOMY_LEASE.multipliedBy(2);
        Granted grant = lead(a(), lease);
        pass(ROOMY_LEASE);
        Renewed renewed = (Renewed) renew(a(), grant, lease);
        assertThat(renewed.expiry()).isAfter(grant.expiry());
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b(), lease, 0))
                .as("after the end of the lease as it was granted")
                .isInstanceOf(Held.class);
    }

    @Test
    void nobody_but_the_holder_extends_its_lease() {
        Granted grant = lead(a(), ROOMY_LEASE);
        Duration meanwhile = Duration.ofMillis(250);
        pass(meanwhile);
        assertThat(renew(b(), grant, ROOMY_LEASE)).isInstanceOfSatisfying(Lost.class, lost -> assertThat(
                        holder(lost).leader().node())
                .isEqualTo("a"));
        pass(ROOMY_LEASE.minus(meanwhile).plusMillis(2));
        assertThat(campaign(c(), ROOMY_LEASE, 0))
                .as("the lease that a did not renew")
                .isInstanceOf(Granted.class);
    }

    @Test
    void the_holder_with_another_token_does_not_extend_the_lease() {
        Granted grant = lead(a(), LONG_LEASE);
        Granted other = new Granted(new FencingToken(grant.token().value() - 1), grant.since(), grant.expiry());
        assertThat(renew(a(), other, LONG_LEASE)).isInstanceOf(Lost.class);
    }

    @Test
    void a_leader_takes_the_place_of_an_older_one_whose_lease_came_back_with_old_data() {
        Granted old = lead(a(), LONG_LEASE);
        Runnable restore = save();
        release(a(), old);
        Granted newer = (Granted) campaign(b(), LONG_LEASE, 0);
        restore.run();
        assertThat(renew(b(), newer, LONG_LEASE)).isInstanceOf(Renewed.class);
        assertThat(view().leader()).hasValueSatisfying(leader -> {
            assertThat(leader.node()).isEqualTo("b");
            assertThat(leader.token()).isEqualTo(newer.token());
        });
        assertThat(renew(a(), old)).isInstanceOf(Lost.class);
    }

    @Test
    void a_lease_lasts_no_longer_than_it_was_made_for_when_the_clock_goes_back() {
        lead(a(), ROOMY_LEASE);
        turnClockBack(Duration.ofHours(1));
        assertThat(((Held) campaign(b(), ROOMY_LEASE, 0)).remaining()).isLessThanOrEqualTo(ROOMY_LEASE);
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b(), ROOMY_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void nobody_is_kept_out_for_longer_than_was_said_when_the_clock_goes_back() {
        Granted grant = lead(a(), ROOMY_LEASE);
        release(a(), grant);
        campaign(b(), ROOMY_LEASE, grant.token().value() + 1);
        turnClockBack(Duration.ofHours(1));
        assertThat(((Wait) campaign(b(), ROOMY_LEASE, 0)).remaining()).isLessThanOrEqualTo(ROOMY_LEASE);
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b(), ROOMY_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_that_vanished_is_waited_for_no_longer_than_it_was_made_for_when_the_clock_goes_back() {
        lead(a(), ROOMY_LEASE);
        loseLease();
        turnClockBack(Duration.ofHours(1));
        assertThat(((Wait) campaign(b(), ROOMY_LEASE, 0)).remaining()).isLessThanOrEqualTo(ROOMY_LEASE);
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b(), ROOMY_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_that_is_not_renewed_goes_to_the_next_with_a_higher_token() {
        Granted first = lead(a());
        pass(LEASE.plusMillis(2));
        Granted second = (Granted) campaign(b());
        assertThat(second.token().isNewerThan(first.token())).isTrue();
    }

    @Test
    void a_renewal_that_comes_after_the_end_of_the_lease_is_lost() {
        Granted grant = lead(a());
        pass(LEASE.plusMillis(2));
        assertThat(renew(a(), grant)).isEqualTo(new Lost(null));
    }

    @Test
    void a_renewal_that_comes_after_another_was_granted_the_lease_names_the_holder() {
        Granted grant = lead(a());
        pass(LEASE.plusMillis(2));
        Granted next = (Granted) campaign(b(), LONG_LEASE, 0);
        assertThat(renew(a(), grant)).isInstanceOfSatisfying(Lost.class, lost -> assertThat(
                        holder(lost).leader().token())
                .isEqualTo(next.token()));
    }

    @Test
    void a_holder_whose_lease_was_forgotten_establishes_it_again_with_the_same_token() {
        Granted grant = lead(a(), LONG_LEASE);
        forget();
        assertThat(renew(a(), grant, LONG_LEASE)).isInstanceOf(Renewed.class);
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOfSatisfying(Held.class, held -> {
            assertThat(held.leader().token()).isEqualTo(grant.token());
            assertThat(held.leader().since()).isEqualTo(grant.since());
        });
    }

    @Test
    void a_forgotten_lease_is_not_established_again_after_its_end() {
        Granted grant = lead(a());
        pass(LEASE.plusMillis(2));
        forget();
        assertThat(renew(a(), grant)).isEqualTo(new Lost(null));
    }

    @Test
    void a_forgotten_lease_is_not_established_again_once_a_higher_token_was_granted() {
        Granted old = lead(a(), LONG_LEASE);
        forget();
        assertThat(campaign(b(), LEASE, old.token().value())).isInstanceOf(Wait.class);
        pass(LEASE.plusMillis(2));
        assertThat(campaign(b(), LEASE, old.token().value())).isInstanceOf(Granted.class);
        pass(LEASE.plusMillis(2));
        assertThat(renew(a(), old))
                .as("the lease of b has ended, but it was granted")
                .isEqualTo(new Lost(null));
    }

    @Test
    void after_forgetting_nobody_is_granted_the_lease_for_a_full_lease_by_one_who_has_seen_a_token() {
        Granted old = lead(a(), LONG_LEASE);
        forget();
        Wait wait = (Wait) campaign(b(), ROOMY_LEASE, old.token().value());
        assertThat(wait.remaining()).isEqualTo(ROOMY_LEASE);
        Duration meanwhile = Duration.ofMillis(250);
        pass(meanwhile);
        assertThat(campaign(b(), ROOMY_LEASE, old.token().value())).isInstanceOf(Wait.class);
        assertThat(campaign(c(), ROOMY_LEASE, 0)).isInstanceOf(Wait.class);
        pass(ROOMY_LEASE.minus(meanwhile).plusMillis(2));
        Granted next = (Granted) campaign(b(), ROOMY_LEASE, old.token().value());
        assertThat(next.token().isNewerThan(old.token())).isTrue();
    }

    @Test
    void one_who_has_seen_a_token_turns_a_settle_time_into_a_full_lease() {
        Granted old = lead(a());
        forget();
        assertThat(campaign(c())).isEqualTo(firstInQueue(SETTLE));
        assertThat(((Wait) campaign(b(), LONG_LEASE, old.token().value())).remaining())
                .isEqualTo(LONG_LEASE);
        pass(SETTLE.plusMillis(2));
        assertThat(campaign(c())).isInstanceOf(Wait.class);
    }

    @Test
    void once_a_forgotten_lease_has_come_back_the_next_holder_waits_for_a_full_lease_even_after_a_release() {
        Granted grant = lead(a(), ROOMY_LEASE);
        forget();
        assertThat(renew(a(), grant, ROOMY_LEASE)).isInstanceOf(Renewed.class);
        assertThat(release(a(), grant)).isInstanceOf(Released.class);
        assertThat(campaign(b(), ROOMY_LEASE, grant.token().value())).isInstanceOf(Wait.class);
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b(), ROOMY_LEASE, grant.token().value())).isInstanceOf(Granted.class);
    }

    @Test
    void a_successor_does_not_pass_by_the_wait_that_follows_forgetting() {
        Granted grant = lead(a(), LONG_LEASE);
        forget();
        renew(a(), grant, LONG_LEASE);
        ask(store().release(new ReleaseRequest(
                a(), new Grant(grant.token(), grant.expiry()), LONG_LEASE, to("c", LONG_LEASE), ABDICATED)));
        assertThat(campaign(c(), LONG_LEASE, 0)).isInstanceOf(Wait.class);
    }

    @Test
    void a_lease_that_vanished_before_its_time_is_not_granted_to_another_until_it_would_have_ended() {
        Granted grant = lead(a(), ROOMY_LEASE);
        loseLease();
        assertThat(campaign(b(), ROOMY_LEASE, 0)).isInstanceOf(Wait.class);
        assertThat(renew(a(), grant, ROOMY_LEASE)).isInstanceOf(Renewed.class);
        loseLease();
        assertThat(campaign(b(), ROOMY_LEASE, 0)).isInstanceOf(Wait.class);
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b(), ROOMY_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void a_released_lease_is_free_at_once() {
        Granted first = lead(a(), LONG_LEASE);
        assertThat(release(a(), first)).isInstanceOf(Released.class);
        Granted second = (Granted) campaign(b(), LONG_LEASE, 0);
        assertThat(second.token().isNewerThan(first.token())).isTrue();
    }

    @Test
    void nobody_but_the_holder_releases_a_lease() {
        Granted grant = lead(a(), LONG_LEASE);
        assertThat(release(b(), grant)).isInstanceOf(NotHeld.class);
        assertThat(campaign(c(), LONG_LEASE, 0)).isInstanceOf(Held.class);
    }

    @Test
    void the_holder_with_another_token_does_not_release_the_lease() {
        Granted grant = lead(a(), LONG_LEASE);
        Granted other = new Granted(new FencingToken(grant.token().value() + 1), grant.since(), grant.expiry());
        assertThat(release(a(), other)).isInstanceOf(NotHeld.class);
    }

    @Test
    void a_late_renewal_does_not_bring_a_released_lease_back() {
        Granted grant = lead(a(), LONG_LEASE);
        release(a(), grant);
        assertThat(renew(a(), grant, LONG_LEASE)).isEqualTo(new Lost(null));
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void a_late_renewal_does_not_bring_back_a_lease_that_was_released_after_the_store_had_forgotten_it() {
        Granted grant = lead(a(), LONG_LEASE);
        forget();
        assertThat(release(a(), grant)).isInstanceOf(Released.class);
        assertThat(renew(a(), grant, LONG_LEASE)).isEqualTo(new Lost(null));
        assertThat(release(a(), grant)).as("the second time").isInstanceOf(NotHeld.class);
    }

    @Test
    void after_a_release_of_a_forgotten_lease_the_next_holder_waits_for_a_full_lease() {
        Granted grant = lead(a(), LONG_LEASE);
        forget();
        assertThat(release(a(), grant, ROOMY_LEASE)).isInstanceOf(Released.class);
        assertThat(campaign(b(), ROOMY_LEASE, grant.token().value())).isInstanceOf(Wait.class);
        pass(ROOMY_LEASE.plusMillis(2));
        assertThat(campaign(b(), ROOMY_LEASE, grant.token().value())).isInstanceOf(Granted.class);
    }

    @Test
    void a_release_that_comes_after_the_end_of_a_forgotten_lease_changes_nothing() {
        Granted grant = lead(a());
        pass(LEASE.plusMillis(2));
        forget();
        assertThat(release(a(), grant)).isInstanceOf(NotHeld.class);
        assertThat(campaign(b())).as("nobody is known to have led").isEqualTo(firstInQueue(SETTLE));
    }

    @Test
    void a_release_of_a_forgotten_lease_changes_nothing_once_a_higher_token_was_granted() {
        Granted old = lead(a(), LONG_LEASE);
        forget();
        campaign(b(), LEASE, old.token().value());
        pass(LEASE.plusMillis(2));
        campaign(b(), LEASE, old.token().value());
        pass(LEASE.plusMillis(2));
        assertThat(release(a(), old)).isInstanceOf(NotHeld.class);
    }

    @Test
    void a_candidacy_that_ends_gives_back_a_grant_that_it_never_heard_of() {
        lead(a(), LONG_LEASE);
        assertThat(end(a())).isInstanceOf(Released.class);
        assertThat(campaign(b(), LONG_LEASE, 0)).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_released_to_a_successor_is_kept_for_it_for_a_while() {
        Granted grant = lead(a(), LONG_LEASE);
        ask(store().release(new ReleaseRequest(
                a(), new Grant(grant.token(), grant.expiry()), LEASE, to("c", LONG_LEASE), ABDICATED)));
        assertThat(campaign(b())).isInstanceOfSatisfying(Wait.class, wait -> assertThat(wait.remaining())
                .isGreaterThan(LEASE));
        assertThat(campaign(c())).isInstanceOf(Granted.class);
    }

    @Test
    void a_lease_released_to_a_successor_that_does_not_come_goes_to_anyone() {
        Granted grant = lead(a(), LONG_LEASE);
        ask(store().release(new ReleaseRequest(
                a(), new Grant(grant.token(), grant.expiry()), LEASE, to("gone", LEASE), ABDICATED)));
        pass(reserved(LEASE).plusMillis(2));
        assertThat(campaign(b())).isInstanceOf(Granted.class);
    }

    /** Returns how long a store keeps a lease for a successor, which is notified late where messages take long. */
    private Duration reserved(Duration asked) {
        return asked.plus(store().traits().messageDelay());
    }

    @Test
    void tokens_rise_through_everything() {
        List<FencingToken> tokens = new ArrayList<>();
        Granted grant = lead(a());
        tokens.add(grant.token());
        release(a(), grant);
        tokens.add(((Granted) campaign(b())).token());
        pass(LEASE.plusMillis(2));
        tokens.add(((Granted) campaign(c())).token());
        forget();
        // Neither store nor candidate remembers a token: the store's clock still raises it.
        pass(LEASE);
        campaign(a());
        pass(SETTLE.plusMillis(2));
        tokens.add(((Granted) campaign(a())).token());
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_token_is_greater_than_any_that_a_candidate_has_seen() {
        long future = (1L << 52) + 12345;
        campaign(a(), LEASE, future);
        pass(LEASE.plusMillis(2));
        assertThat(((Granted) campaign(a(), LEASE, future)).token()).isEqualTo(new FencingToken(future + 1));
    }

    @Test
    void of_many_who_try_at_once_one_is_granted_the_lease() {
        Granted grant = lead(a(), LONG_LEASE);
        release(a(), grant);
        List<CompletableFuture<CampaignReply>> replies = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            CampaignRequest request = new CampaignRequest(candidate("n" + i), LONG_LEASE, 0, SETTLE);
            replies.add(store().campaign(request).toCompletableFuture());
        }
        assertThat(replies.stream().map(this::ask).filter(Granted.class::isInstance))
                .hasSize(1);
    }

    @Test
    void elections_do_not_disturb_each_other() {
        lead(a());
        Candidate elsewhere = new Candidate(election() + "-2", "x", new NodeInfo("x", "address of x"));
        campaign(elsewhere);
        pass(SETTLE.plusMillis(2));
        assertThat(campaign(elsewhere)).isInstanceOf(Granted.class);
    }

    @Test
    void candidates_and_the_holder_hear_of_each_others_application() {
        Candidate shop = candidate("shop", "shop");
        Candidate bank = candidate("bank", "bank");
        Granted grant = lead(shop, LONG_LEASE);
        assertThat(renew(shop, grant, LONG_LEASE))
                .isInstanceOfSatisfying(Renewed.class, renewed -> assertThat(renewed.otherApplication())
                        .isEmpty());
        campaign(candidate("shop-2", "shop"));
        campaign(a());
        assertThat(renew(shop, grant, LONG_LEASE))
                .as("its own application, and one without a name")
                .isInstanceOfSatisfying(Renewed.class, renewed -> assertThat(renewed.otherApplication())
                        .isEmpty());
        assertThat(campaign(bank, LONG_LEASE, 0))
                .isInstanceOfSatisfying(
                        Held.class, held -> assertThat(held.application()).isEqualTo("shop"));
        assertThat(renew(shop, grant, LONG_LEASE))
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
        Granted grant = lead(shop, LONG_LEASE);
        forget();
        renew(shop, grant, LONG_LEASE);
        assertThat(campaign(candidate("bank", "bank"), LONG_LEASE, 0))
                .isInstanceOfSatisfying(
                        Held.class, held -> assertThat(held.application()).isEqualTo("shop"));
    }

    @Test
    void a_look_tells_who_leads_and_for_how_long() {
        assertThat(view().leader()).isEmpty();
        Granted grant = lead(a(), LONG_LEASE);
        StoreView view = view();
        assertThat(view.isLedUnder(grant.token())).isTrue();
        assertThat(view.leader()).hasValueSatisfying(leader -> {
            assertThat(leader.node()).isEqualTo("a");
            assertThat(leader.address()).isEqualTo("address of a");
            assertThat(leader.since()).isEqualTo(grant.since());
        });
        assertThat(view.leaseRemaining()).isPositive().isLessThanOrEqualTo(LONG_LEASE);
        assertThat(view.readAt()).isAfterOrEqualTo(grant.since());
    }

    @Test
    void a_look_tells_of_no_more_leaderships_than_the_store_says_that_it_keeps() {
        release(a(), lead(a()));
        campaign(b());
        assertThat(view().leaderships()).hasSizeLessThanOrEqualTo(store().leadershipsKept());
    }

    @Test
    void events_tell_of_grants_releases_and_roll_calls() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        try (LeaseStore.Subscription subscription = store().listen(election(), heard::add)) {
            assertThat(next(heard)).isInstanceOf(StoreEvent.Connected.class);
            Granted grant = lead(a(), LONG_LEASE);
            assertThat(next(heard)).isInstanceOf(StoreEvent.RollCall.class);
            assertThat(next(heard)).isInstanceOfSatisfying(StoreEvent.Acquired.class, acquired -> {
                assertThat(acquired.leader().node()).isEqualTo("a");
                assertThat(acquired.leader().address()).isEqualTo("address of a");
                assertThat(acquired.leader().token()).isEqualTo(grant.token());
                assertThat(acquired.leader().since()).isEqualTo(grant.since());
                assertThat(acquired.remaining()).isEqualTo(LONG_LEASE);
            });
            long releasedAt = System.nanoTime();
            ask(store().release(new ReleaseRequest(
                    a(), new Grant(grant.token(), grant.expiry()), LEASE, to("c", LEASE), ABDICATED)));
            assertThat(next(heard)).isInstanceOfSatisfying(StoreEvent.Released.class, released -> {
                assertThat(released.token()).isEqualTo(grant.token());
                assertThat(released.successor()).isEqualTo("c");
                // The reservation began with the release, and is shorter for whoever hears of it later.
                Duration age = Duration.ofNanos(System.nanoTime() - releasedAt).plusMillis(1);
                assertThat(released.reserve()).isBetween(reserved(LEASE).minus(age), reserved(LEASE));
            });
        }
    }

    @Test
    void whoever_listens_no_more_hears_no_more() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> left = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<StoreEvent> stayed = new LinkedBlockingQueue<>();
        LeaseStore.Subscription subscription = store().listen(election(), left::add);
        assertThat(next(left)).isInstanceOf(StoreEvent.Connected.class);
        try (LeaseStore.Subscription other = store().listen(election(), stayed::add)) {
            assertThat(next(stayed)).isInstanceOf(StoreEvent.Connected.class);
            subscription.close();
            left.clear();
            lead(a());
            StoreEvent heard;
            do {
                heard = next(stayed);
            } while (!(heard instanceof StoreEvent.Acquired));
        }
        assertThat(left).isEmpty();
    }

    @Test
    void what_is_sent_together_is_answered_as_if_each_had_come_alone() {
        Granted grant = lead(a(), LONG_LEASE);
        Candidate elsewhere = new Candidate(election() + "-2", "c-elsewhere", c().node());
        List<CompletionStage<?>> asked = store().send(List.of(
                new RenewRequest(a(), grant.token(), grant.since(), grant.expiry(), LONG_LEASE),
                new CampaignRequest(elsewhere, LONG_LEASE, 0, SETTLE),
                new CampaignRequest(b(), LONG_LEASE, 0, SETTLE)));
        assertThat(asked).hasSize(3);
        assertThat(ask(asked.get(0))).isInstanceOf(RenewReply.Renewed.class);
        assertThat(ask(asked.get(1))).isInstanceOf(Wait.class);
        assertThat(ask(asked.get(2))).isInstanceOf(Held.class);
    }

    @Test
    void nothing_may_be_sent() {
        assertThat(store().send(List.of())).isEmpty();
    }

    /** Returns the reply to a candidate in the first place, if the store keeps an order. */
    private Wait firstInQueue(Duration remaining) {
        return new Wait(remaining, this instanceof SuccessionContract ? OptionalInt.of(0) : OptionalInt.empty());
    }
}
