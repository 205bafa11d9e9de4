package dev.election.internal.election;

import static dev.election.internal.election.ScriptedStore.broken;
import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.leader;
import static dev.election.internal.election.ScriptedStore.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.Role;
import dev.election.StoreProblem;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class LeadingTest {

    private final ElectionFixture fixture = ElectionFixture.leading();
    private final ScriptedStore store = fixture.store;

    @Test
    void renews_three_times_a_lease() {
        for (int i = 0; i < 9; i++) {
            fixture.pass(Duration.ofSeconds(5));
            assertThat(store.renewals).hasSize(1);
            answerRenewal(renewed());
        }
        assertThat(fixture.election.isLeader()).isTrue();
        assertThat(fixture.events(LeadershipEvent.Acquired.class)).hasSize(1);
    }

    @Test
    void stops_to_believe_by_itself_when_nothing_is_heard() {
        fixture.loop.freeze(Duration.ofMillis(14_690));
        assertThat(fixture.election.isLeader()).isTrue();
        fixture.loop.freeze(Duration.ofMillis(10));
        assertThat(fixture.election.isLeader())
                .as("with the election thread stuck")
                .isFalse();
        assertThat(fixture.election.role()).isEqualTo(Role.FOLLOWER);
        assertThat(fixture.election.leadership()).isEmpty();
        assertThat(fixture.election.leader()).isEmpty();
    }

    @Test
    void says_once_that_its_lease_is_at_risk_and_once_that_it_is_renewed() {
        fixture.pass(Duration.ofMillis(5_000));
        answerRenewal(broken(StoreProblem.TIMED_OUT));
        fixture.pass(Duration.ofMillis(2_499));
        assertThat(fixture.events(LeadershipEvent.LeaseAtRisk.class)).isEmpty();
        while (fixture.events(LeadershipEvent.LeaseAtRisk.class).isEmpty()) {
            fixture.pass(Duration.ofMillis(1));
        }
        assertThat(fixture.last(LeadershipEvent.LeaseAtRisk.class).remaining())
                .isEqualTo(Duration.ofMillis(15_000 - 302 - 7_500));
        fixture.pass(Duration.ofSeconds(1));
        assertThat(fixture.events(LeadershipEvent.LeaseAtRisk.class)).hasSize(1);
        answerNextRenewal();
        assertThat(fixture.events(LeadershipEvent.LeaseSecured.class)).hasSize(1);
        answerNextRenewal();
        assertThat(fixture.events(LeadershipEvent.LeaseSecured.class)).hasSize(1);
        assertThat(fixture.events(LeadershipEvent.LeaseAtRisk.class)).hasSize(1);
        fixture.pass(Duration.ofSeconds(8));
        assertThat(fixture.events(LeadershipEvent.LeaseAtRisk.class))
                .as("another incident")
                .hasSize(2);
    }

    @Test
    void a_lease_that_was_granted_late_is_not_at_risk_before_its_first_renewal_could_be_answered() {
        ElectionFixture slow = ElectionFixture.started();
        slow.pass(Duration.ofMillis(2_400));
        ScriptedStore.Asked<CampaignRequest, CampaignReply> first = slow.store.campaigns.remove();
        slow.pass(Duration.ofMillis(7_600));
        first.answer(granted(100));
        slow.loop.settle();
        slow.pass(Duration.ofMillis(2_499));
        assertThat(slow.election.isLeader()).isTrue();
        assertThat(slow.events(LeadershipEvent.LeaseAtRisk.class)).isEmpty();
        slow.pass(Duration.ofMillis(1));
        assertThat(slow.last(LeadershipEvent.LeaseAtRisk.class).remaining())
                .isEqualTo(Duration.ofMillis(15_000 - 302 - 12_500));
    }

    @Test
    void after_a_pause_nobody_is_known_to_lead_since_the_end_of_its_own_lease() {
        fixture.loop.freeze(Duration.ofSeconds(40));
        fixture.pass(Duration.ofMillis(1));
        LeadershipEvent.ElectionStarted started = fixture.last(LeadershipEvent.ElectionStarted.class);
        assertThat(Duration.between(started.since(), started.at())).isEqualTo(Duration.ofMillis(40_000 - 15_000 + 302));
    }

    @Test
    void counts_the_lease_from_the_moment_the_request_was_sent() {
        fixture.pass(Duration.ofSeconds(5));
        fixture.pass(Duration.ofSeconds(2));
        answerRenewal(renewed());
        Duration remaining = fixture.election.leadership().orElseThrow().remaining();
        assertThat(remaining).isEqualTo(Duration.ofMillis(15_000 - 302 - 2_000));
    }

    @Test
    void tries_again_soon_after_a_failed_renewal_until_the_end_and_tells_at_the_end() {
        fixture.pass(Duration.ofSeconds(5));
        int attempts = 0;
        while (fixture.election.isLeader()) {
            while (!store.renewals.isEmpty()) {
                attempts++;
                answerRenewal(broken(StoreProblem.LOADING));
            }
            fixture.pass(Duration.ofMillis(10));
        }
        assertThat(attempts).isGreaterThan(12);
        LeadershipEvent.Lost lost = fixture.last(LeadershipEvent.Lost.class);
        assertThat(lost.reason()).isEqualTo(LossReason.STORE_ERROR);
        assertThat(lost.held()).isBetween(Duration.ofMillis(14_690), Duration.ofMillis(14_710));
        assertThat(fixture.events(LeadershipEvent.StoreFailed.class)).hasSize(1);
    }

    @Test
    void is_saved_by_a_retry() {
        fixture.pass(Duration.ofSeconds(5));
        answerRenewal(broken(StoreProblem.UNREACHABLE));
        fixture.pass(Duration.ofMillis(100));
        answerRenewal(renewed());
        fixture.pass(Duration.ofSeconds(4));
        assertThat(fixture.election.isLeader()).isTrue();
        assertThat(fixture.events(LeadershipEvent.StoreRecovered.class)).hasSize(1);
    }

    @Test
    void a_late_reply_to_a_renewal_counts_from_when_that_one_was_sent() {
        ScriptedStore.Asked<RenewRequest, RenewReply> slow = hangs();
        fixture.pass(Duration.ofSeconds(3));
        answer(slow, renewed());
        assertThat(remaining()).isEqualTo(Duration.ofMillis(15_000 - 302 - 5_500));
        answerRenewal(renewed());
        assertThat(remaining()).as("by the later one").isEqualTo(Duration.ofMillis(15_000 - 302 - 3_000));
    }

    @Test
    void a_link_on_which_every_reply_comes_late_costs_no_leadership() {
        // Each takes more than half of the lease.
        Deque<Runnable> replies = new ArrayDeque<>();
        for (int step = 0; step < 120_000 / 50; step++) {
            boolean isAsked = !store.renewals.isEmpty();
            ScriptedStore.Asked<RenewRequest, RenewReply> slow = isAsked ? store.renewals.remove() : null;
            replies.add(() -> {
                if (slow != null) {
                    answer(slow, renewed());
                }
            });
            if (replies.size() > 8_000 / 50) {
                replies.remove().run();
            }
            fixture.pass(Duration.ofMillis(50));
        }
        assertThat(fixture.election.isLeader()).isTrue();
        assertThat(fixture.events(LeadershipEvent.LeaseSecured.class))
                .as("while more than half of the lease has gone whenever one comes")
                .isEmpty();
    }

    @Test
    void the_reply_to_an_earlier_renewal_takes_nothing_back() {
        ScriptedStore.Asked<RenewRequest, RenewReply> slow = hangs();
        answerRenewal(renewed());
        answer(slow, new RenewReply.Renewed(Instant.EPOCH));
        assertThat(remaining()).isEqualTo(Duration.ofMillis(15_000 - 302));
        fixture.pass(Duration.ofSeconds(5));
        assertThat(store.renewals.remove().request().expiry()).isEqualTo(((RenewReply.Renewed) renewed()).expiry());
    }

    @Test
    void what_any_renewal_finds_lost_is_lost() {
        ScriptedStore.Asked<RenewRequest, RenewReply> slow = hangs();
        answer(slow, new RenewReply.Lost(held("other", 200, Duration.ofSeconds(9))));
        assertThat(fixture.election.isLeader()).isFalse();
        assertThat(fixture.election.leader()).contains(leader("other", 200));
    }

    @Test
    void what_a_renewal_of_an_earlier_leadership_finds_does_not_matter() {
        fixture.pass(Duration.ofSeconds(5));
        ScriptedStore.Asked<RenewRequest, RenewReply> former = store.renewals.remove();
        fixture.pass(Duration.ofSeconds(10));
        fixture.answerCampaign(granted(101));
        answer(former, new RenewReply.Lost(null));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void a_renewal_from_before_a_roll_call_counts_and_is_followed_by_another_at_once() {
        fixture.pass(Duration.ofSeconds(5));
        store.event(new StoreEvent.RollCall());
        store.event(new StoreEvent.RollCall());
        fixture.loop.settle();
        assertThat(store.renewals).as("one at a time").hasSize(1);
        fixture.pass(Duration.ofSeconds(1));
        answerRenewal(renewed());
        assertThat(remaining()).isEqualTo(Duration.ofMillis(14_000 - 302));
        assertThat(store.renewals).as("after the call").hasSize(1);
        answerRenewal(renewed());
        assertThat(remaining()).isEqualTo(Duration.ofMillis(15_000 - 302));
        assertThat(store.renewals).isEmpty();
    }

    @Test
    void roll_calls_that_come_faster_than_replies_do_not_end_leadership() {
        for (int call = 0; call < 2_000; call++) {
            store.event(new StoreEvent.RollCall());
            fixture.loop.settle();
            assertThat(store.renewals).as("one at a time").hasSize(1);
            fixture.pass(Duration.ofMillis(50));
            if (call % 2 == 1) {
                answerRenewal(renewed());
            }
        }
        assertThat(fixture.election.isLeader()).isTrue();
        assertThat(fixture.events(LeadershipEvent.Lost.class)).isEmpty();
    }

    @Test
    void a_leadership_that_ends_without_any_answer_was_lost_by_the_store() {
        fixture.pass(Duration.ofSeconds(16));
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.STORE_ERROR);
    }

    @Test
    void a_leadership_whose_lease_the_store_no_longer_has_has_expired() {
        fixture.pass(Duration.ofSeconds(5));
        answerRenewal(new RenewReply.Lost(null, null));
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.EXPIRED);
    }

    @Test
    void a_reply_after_the_deadline_does_not_bring_leadership_back() {
        fixture.pass(Duration.ofSeconds(5));
        ScriptedStore.Asked<RenewRequest, RenewReply> slow = store.renewals.remove();
        fixture.loop.freeze(Duration.ofSeconds(10));
        slow.answer(renewed());
        fixture.loop.settle();
        assertThat(fixture.election.isLeader()).isFalse();
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.EXPIRED);
    }

    @Test
    void gives_a_lease_back_that_it_could_not_renew_and_goes_on_as_another_candidacy() {
        String candidacy = leadersCandidacy();
        fixture.pass(Duration.ofSeconds(15));
        assertThat(store.releases.remove().request().candidate().candidacy()).isEqualTo(candidacy);
        assertThat(store.campaigns.remove().request().candidate().candidacy()).isNotEqualTo(candidacy);
    }

    @Test
    void follows_whoever_has_superseded_it() {
        fixture.pass(Duration.ofSeconds(5));
        answerRenewal(new RenewReply.Lost(held("other", 200, Duration.ofSeconds(9))));
        assertThat(fixture.election.isLeader()).isFalse();
        assertThat(fixture.election.leader()).contains(leader("other", 200));
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.SUPERSEDED);
        fixture.pass(Duration.ofSeconds(9));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofMillis(2));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void says_that_it_was_evicted_and_stays_out_for_the_cooldown_when_its_renewal_tells_so() {
        fixture.pass(Duration.ofSeconds(5));
        String candidacy = store.renewals.peek().request().candidate().candidacy();
        answerRenewal(new RenewReply.Lost(null, Duration.ofSeconds(30)));
        assertThat(fixture.election.isLeader()).isFalse();
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.EVICTED);
        assertThat(fixture.election.role()).isEqualTo(Role.COOLING_DOWN);
        fixture.pass(Duration.ofSeconds(29));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofSeconds(1));
        assertThat(store.campaigns.remove().request().candidate().candidacy()).isNotEqualTo(candidacy);
    }

    @Test
    void knows_who_leads_after_an_eviction_while_it_stays_out() {
        fixture.pass(Duration.ofSeconds(5));
        answerRenewal(new RenewReply.Lost(held("other", 200, Duration.ofSeconds(9)), Duration.ofSeconds(30)));
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.EVICTED);
        assertThat(fixture.election.leader()).contains(leader("other", 200));
        fixture.pass(Duration.ofSeconds(10));
        assertThat(store.campaigns).isEmpty();
        assertThat(store.looks).as("asks when that lease would have ended").hasSize(1);
        fixture.pass(Duration.ofSeconds(20));
        assertThat(store.campaigns.remove().request().seen()).isEqualTo(200);
    }

    @Test
    void answers_a_roll_call_at_once() {
        store.event(new StoreEvent.RollCall());
        fixture.loop.settle();
        assertThat(store.renewals).hasSize(1);
    }

    @Test
    void asks_the_store_at_once_when_it_hears_of_a_rival() {
        store.event(new StoreEvent.Acquired(leader("other", 200), Duration.ofSeconds(15)));
        fixture.loop.settle();
        assertThat(fixture.election.isLeader())
                .as("the store decides, not the event")
                .isTrue();
        assertThat(store.renewals).hasSize(1);
    }

    @Test
    void campaigns_with_the_token_of_a_rival_that_it_heard_of_while_it_led() {
        store.event(new StoreEvent.Acquired(leader("other", 200), Duration.ofSeconds(15)));
        store.event(new StoreEvent.Released(new FencingToken(201), null, Duration.ZERO));
        fixture.pass(Duration.ofSeconds(15));
        assertThat(store.campaigns.remove().request().seen()).isEqualTo(201);
    }

    @Test
    void events_that_come_faster_than_replies_do_not_cost_it_the_leadership() {
        for (int i = 0; i < 200; i++) {
            store.event(new StoreEvent.Connected());
            fixture.pass(Duration.ofMillis(50));
            store.event(new StoreEvent.Acquired(leader("other", 200 + i), Duration.ofSeconds(15)));
            fixture.pass(Duration.ofMillis(50));
            answerRenewal(renewed());
        }
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void asks_again_over_a_new_connection_when_its_renewal_waits_on_the_one_before() {
        fixture.pass(Duration.ofMillis(5_100));
        ScriptedStore.Asked<RenewRequest, RenewReply> lost = store.renewals.remove();
        long anew = fixture.loop.nanos();
        fixture.pass(Duration.ofMillis(100));
        connectedAnew(anew);
        assertThat(store.renewals).hasSize(1);
        answerRenewal(renewed());
        assertThat(lost.reply()).isNotDone();
        assertThat(remaining()).isEqualTo(Duration.ofMillis(14_698));
    }

    @Test
    void keeps_its_lease_by_a_new_connection_that_comes_before_the_next_attempt_would_be_made() {
        // Attempts after 5, 7.5 and 12.5 s; the next one would be made after the end.
        fixture.pass(Duration.ofSeconds(14));
        store.renewals.clear();
        connectedAnew(fixture.loop.nanos());
        answerRenewal(renewed());
        fixture.pass(Duration.ofSeconds(4));
        assertThat(fixture.events(LeadershipEvent.Lost.class)).isEmpty();
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void a_renewal_that_waits_on_the_connection_before_counts_from_when_it_was_sent() {
        fixture.pass(Duration.ofSeconds(5));
        ScriptedStore.Asked<RenewRequest, RenewReply> slow = store.renewals.remove();
        fixture.pass(Duration.ofSeconds(1));
        connectedAnew(fixture.loop.nanos());
        answer(slow, renewed());
        assertThat(remaining()).as("from the answered request").isEqualTo(Duration.ofMillis(13_698));
        answerRenewal(renewed());
        assertThat(remaining()).isEqualTo(Duration.ofMillis(14_698));
    }

    @Test
    void asks_once_over_each_new_connection() {
        fixture.pass(Duration.ofSeconds(5));
        fixture.pass(Duration.ofSeconds(1));
        long anew = fixture.loop.nanos();
        connectedAnew(anew);
        connectedAnew(anew);
        store.event(new StoreEvent.Connected());
        fixture.loop.settle();
        assertThat(store.renewals).as("before and over the new one").hasSize(2);
    }

    @Test
    void does_not_ask_again_over_a_connection_over_which_its_renewal_was_sent() {
        long anew = fixture.loop.nanos();
        fixture.pass(Duration.ofSeconds(5));
        connectedAnew(anew);
        assertThat(store.renewals).hasSize(1);
    }

    @Test
    void old_news_and_its_own_cost_nothing() {
        store.event(new StoreEvent.Acquired(leader("other", 99), Duration.ofSeconds(15)));
        store.event(new StoreEvent.Acquired(leader("me", 100), Duration.ofSeconds(15)));
        store.event(new StoreEvent.Released(new FencingToken(99), null, Duration.ZERO));
        fixture.loop.settle();
        assertThat(store.renewals).isEmpty();
    }

    @Test
    void renews_with_the_expiry_of_the_last_good_reply() {
        fixture.pass(Duration.ofSeconds(5));
        answerRenewal(renewed());
        fixture.pass(Duration.ofSeconds(5));
        assertThat(store.renewals.remove().request().expiry()).isEqualTo(((RenewReply.Renewed) renewed()).expiry());
    }

    @Test
    void can_lead_again() {
        fixture.pass(Duration.ofSeconds(15));
        fixture.answerCampaign(granted(101));
        assertThat(fixture.election.isLeader()).isTrue();
        assertThat(fixture.election.leadership().orElseThrow().token().value()).isEqualTo(101);
    }

    private void connectedAnew(long since) {
        store.event(StoreEvent.Connected.anew(since));
        fixture.loop.settle();
    }

    private String leadersCandidacy() {
        store.event(new StoreEvent.RollCall());
        fixture.loop.settle();
        return store.renewals.remove().request().candidate().candidacy();
    }

    /** One that another was sent beside, two and a half seconds later. */
    private ScriptedStore.Asked<RenewRequest, RenewReply> hangs() {
        fixture.pass(Duration.ofSeconds(5));
        ScriptedStore.Asked<RenewRequest, RenewReply> slow = store.renewals.remove();
        fixture.pass(Duration.ofMillis(2_500));
        assertThat(store.renewals).as("another attempt").hasSize(1);
        return slow;
    }

    private void answer(ScriptedStore.Asked<RenewRequest, RenewReply> asked, RenewReply reply) {
        asked.answer(reply);
        fixture.loop.settle();
    }

    private Duration remaining() {
        return fixture.election.leadership().orElseThrow().remaining();
    }

    /** Whatever went unanswered before. */
    private void answerNextRenewal() {
        store.renewals.clear();
        while (store.renewals.isEmpty()) {
            fixture.pass(Duration.ofMillis(10));
        }
        answerRenewal(renewed());
    }

    private void answerRenewal(RenewReply reply) {
        store.renewals.remove().answer(reply);
        fixture.loop.settle();
    }
}
