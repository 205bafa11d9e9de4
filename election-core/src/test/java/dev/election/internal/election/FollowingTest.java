package dev.election.internal.election;

import static dev.election.internal.election.ScriptedStore.broken;
import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.leader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.Role;
import dev.election.StoreProblem;
import dev.election.StoreUnavailableException;
import dev.election.StoreView;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.NoAnswer;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FollowingTest {

    private final ElectionFixture fixture = ElectionFixture.started();
    private final ScriptedStore store = fixture.store;

    @Test
    void tries_at_once_when_started() {
        assertThat(fixture.election.role()).isEqualTo(Role.FOLLOWER);
        CampaignRequest request = store.campaigns.remove().request();
        assertThat(request.candidate().node().id()).isEqualTo("me");
        assertThat(request.seen()).isZero();
    }

    @Test
    void knows_the_leader_and_asks_again_when_its_lease_has_ended() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        assertThat(fixture.election.leader()).contains(leader("other", 7));
        fixture.pass(Duration.ofSeconds(12));
        assertThat(store.campaigns).as("before the end of the lease").isEmpty();
        fixture.pass(Duration.ofMillis(2));
        assertThat(store.campaigns.remove().request().seen()).isEqualTo(7);
    }

    @Test
    void knows_how_long_the_lease_of_the_leader_lasts_unless_it_is_renewed() {
        assertThat(fixture.election.leaseRemaining()).isZero();
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        assertThat(fixture.election.leaseRemaining()).isEqualTo(Duration.ofSeconds(12));
        fixture.pass(Duration.ofSeconds(5));
        assertThat(fixture.election.leaseRemaining()).isEqualTo(Duration.ofSeconds(7));
        fixture.pass(Duration.ofMillis(7_002));
        assertThat(fixture.election.leaseRemaining()).isZero();
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.leaseRemaining())
                .isEqualTo(fixture.election.leadership().orElseThrow().remaining());
    }

    @Test
    void after_a_crash_the_time_without_a_leader_begins_with_the_last_renewal_that_was_known() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        fixture.pass(Duration.ofMillis(12_002));
        fixture.answerCampaign(granted(8));
        LeadershipEvent.ElectionStarted crash = fixture.last(LeadershipEvent.ElectionStarted.class);
        assertThat(Duration.between(crash.since(), crash.at())).isEqualTo(Duration.ofMillis(15_002));
    }

    @Test
    void after_a_release_nobody_has_led_since_the_message() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        fixture.pass(Duration.ofSeconds(3));
        store.event(new StoreEvent.Released(new FencingToken(7), null, Duration.ZERO));
        fixture.loop.settle();
        LeadershipEvent.ElectionStarted release = fixture.last(LeadershipEvent.ElectionStarted.class);
        assertThat(release.since()).isEqualTo(release.at());
    }

    @Test
    void tries_after_the_one_who_stands_before_it() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12), 1));
        fixture.pass(Duration.ofSeconds(12).plus(ElectionFixture.LEASE.dividedBy(100)));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void gives_the_one_who_stands_before_it_as_long_as_answers_take() {
        fixture.pass(Duration.ofMillis(200));
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12), 1));
        fixture.pass(Duration.ofMillis(12_000));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void behind_the_first_two_it_waits_for_as_long_as_news_of_many_grants_may_take() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12), 2));
        fixture.pass(Duration.ofSeconds(12).plus(ElectionFixture.LEASE.dividedBy(25)));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(ElectionFixture.LEASE.dividedBy(100));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void far_behind_it_tries_within_a_third_of_a_lease_after_the_front() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12), 400));
        fixture.pass(Duration.ofMillis(12_010));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(ElectionFixture.LEASE.dividedBy(3).plus(ElectionFixture.LEASE.dividedBy(150)));
        assertThat(store.campaigns).isNotEmpty();
    }

    @Test
    void far_behind_it_knows_the_leader_until_its_own_question_should_have_been_answered() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12), 400));
        fixture.pass(Duration.ofSeconds(18));
        assertThat(fixture.election.leader()).contains(leader("other", 7));
        fixture.pass(Duration.ofMillis(2_300));
        assertThat(fixture.election.leader()).isEmpty();
    }

    @Test
    void keeps_its_place_in_the_queue_however_often_the_leader_changes() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12), 400));
        Duration passed = Duration.ZERO;
        for (int token = 8; store.campaigns.isEmpty(); token++) {
            store.event(new StoreEvent.Acquired(leader("node" + token, token), ElectionFixture.LEASE));
            fixture.pass(Duration.ofSeconds(1));
            passed = passed.plusSeconds(1);
            assertThat(passed).isLessThanOrEqualTo(Duration.ofMillis(23_500));
        }
        assertThat(passed).isGreaterThan(Duration.ofSeconds(17));
    }

    @Test
    void keeps_its_place_in_the_queue_also_while_the_lease_is_kept_for_one_after_the_other() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        for (int token = 8; token < 31 && store.campaigns.isEmpty(); token++) {
            store.event(new StoreEvent.Released(new FencingToken(token), "third", ElectionFixture.LEASE));
            fixture.pass(Duration.ofSeconds(1));
        }
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void news_does_not_make_it_try_before_the_pause_after_a_failure_is_over() {
        for (int second = 0; second < 30; second++) {
            fixture.pass(Duration.ofSeconds(1));
            while (!store.campaigns.isEmpty()) {
                fixture.answerCampaign(broken(StoreProblem.UNREACHABLE));
            }
        }
        store.event(new StoreEvent.Acquired(leader("other", 7), ElectionFixture.LEASE));
        fixture.pass(Duration.ofMillis(500));
        assertThat(store.campaigns).isEmpty();
    }

    @Test
    void tries_at_once_when_the_lease_is_released() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        store.event(new StoreEvent.Released(new FencingToken(7), null, Duration.ZERO));
        fixture.loop.settle();
        assertThat(store.campaigns).hasSize(1);
        assertThat(fixture.election.leader()).isEmpty();
    }

    @Test
    void leaves_a_lease_to_the_successor_it_is_kept_for() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        store.event(new StoreEvent.Released(new FencingToken(7), "third", Duration.ofSeconds(3)));
        fixture.pass(Duration.ofMillis(2_999));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofMillis(2));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void takes_the_lease_that_is_kept_for_it_at_once_whatever_its_rank() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12), 40));
        store.event(new StoreEvent.Released(new FencingToken(7), "me", Duration.ofSeconds(3)));
        fixture.loop.settle();
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void a_reply_from_before_a_release_does_not_make_it_wait() {
        store.event(new StoreEvent.Released(new FencingToken(7), null, Duration.ZERO));
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        assertThat(store.campaigns).as("a second attempt").hasSize(1);
    }

    @Test
    void a_grant_from_before_a_roll_call_is_asked_for_once_more() {
        store.event(new StoreEvent.RollCall());
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isFalse();
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void a_grant_from_after_a_roll_call_by_the_same_store_counts() {
        rollCall("store", 999);
        fixture.answerCampaign(grantedAt(1000, "store"));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"store, 1000", "store, 1001", "other, 999", ", 999"})
    void a_grant_that_may_be_from_before_a_roll_call_is_asked_for_once_more(String caller, long calledAt) {
        rollCall(caller, calledAt);
        fixture.answerCampaign(grantedAt(1000, "store"));
        assertThat(fixture.election.isLeader()).isFalse();
        fixture.answerCampaign(grantedAt(1000, "store"));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"store, 998, true", "store, 1000, false", "other, 998, false"})
    void a_grant_counts_if_it_is_from_after_every_roll_call_heard_meanwhile(
            String caller, long calledAt, boolean counts) {
        rollCall("store", 999);
        rollCall(caller, calledAt);
        fixture.answerCampaign(grantedAt(1000, "store"));
        assertThat(fixture.election.isLeader()).isEqualTo(counts);
    }

    @Test
    void a_grant_from_after_a_roll_call_is_worth_nothing_if_there_is_other_news() {
        store.event(StoreEvent.Connected.anew(0));
        rollCall("store", 999);
        fixture.answerCampaign(grantedAt(1000, "store"));
        assertThat(fixture.election.isLeader()).isFalse();
    }

    @Test
    void other_news_after_a_roll_call_outdates_a_grant_as_well() {
        rollCall("store", 999);
        store.event(StoreEvent.Connected.anew(0));
        fixture.answerCampaign(grantedAt(1000, "store"));
        assertThat(fixture.election.isLeader()).isFalse();
    }

    @Test
    void a_new_leader_that_is_announced_saves_the_next_attempt() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(2)));
        store.event(new StoreEvent.Acquired(leader("third", 8), Duration.ofSeconds(15)));
        fixture.pass(Duration.ofSeconds(15));
        assertThat(store.campaigns).isEmpty();
        assertThat(fixture.election.leader()).contains(leader("third", 8));
        fixture.pass(Duration.ofMillis(2));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void late_news_of_a_leader_that_has_gone_is_passed_over() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(2)));
        store.event(new StoreEvent.Released(new FencingToken(7), null, Duration.ZERO));
        store.event(new StoreEvent.Acquired(leader("other", 7), Duration.ofSeconds(15)));
        fixture.loop.settle();
        assertThat(fixture.election.leader()).isEmpty();
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void a_grant_from_before_the_requests_go_over_another_connection_is_worth_nothing() {
        store.event(StoreEvent.Connected.anew(0));
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader())
                .as("granted by a server that another may have replaced")
                .isFalse();
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void a_grant_from_before_events_can_be_heard_counts() {
        store.event(new StoreEvent.Connected());
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void answers_a_roll_call_with_the_token_it_has_seen() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        store.event(new StoreEvent.RollCall());
        fixture.loop.settle();
        assertThat(store.campaigns.remove().request().seen()).isEqualTo(7);
    }

    @Test
    void tries_again_beside_an_attempt_that_hangs_and_takes_its_late_grant() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        answer(slow, granted(8));
        Duration remaining = fixture.election.leadership().orElseThrow().remaining();
        assertThat(remaining)
                .as("counted from when that one was sent")
                .isEqualTo(Duration.ofMillis(15_000 - 302 - 3_000));
        assertThat(fixture.last(LeadershipEvent.StoreFailed.class).problem()).isEqualTo(StoreProblem.TIMED_OUT);
        assertThat(fixture.events(LeadershipEvent.StoreRecovered.class)).hasSize(1);
        fixture.answerCampaign(granted(8));
        assertThat(fixture.events(LeadershipEvent.Acquired.class)).hasSize(1);
    }

    @Test
    void learns_who_leads_from_a_late_reply_and_still_takes_a_grant_that_comes_after_it() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        answer(slow, held("other", 7, Duration.ofSeconds(12)));
        assertThat(fixture.election.leader()).contains(leader("other", 7));
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void a_late_reply_says_when_to_try_again() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        store.campaigns.clear();
        answer(slow, held("other", 7, Duration.ofSeconds(12)));
        fixture.pass(Duration.ofSeconds(9));
        assertThat(store.campaigns).as("counted from when that one was sent").isEmpty();
        fixture.pass(Duration.ofMillis(2));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void a_grant_that_comes_after_its_own_deadline_is_worth_nothing() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        fixture.pass(Duration.ofMillis(15_000 - 302 - 3_000));
        answer(slow, granted(8));
        assertThat(fixture.election.isLeader()).isFalse();
        assertThat(store.releases).isEmpty();
        answerLatest(granted(8));
        assertThat(fixture.election.isLeader())
                .as("the same one, asked for later")
                .isTrue();
    }

    @Test
    void a_late_grant_from_before_a_roll_call_is_void_though_another_attempt_was_made_since() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        store.event(new StoreEvent.RollCall());
        answer(slow, granted(8));
        assertThat(fixture.election.isLeader()).isFalse();
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).as("also from before it").isFalse();
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).as("asked for after it").isTrue();
    }

    @Test
    void a_late_grant_from_before_a_roll_call_is_void_though_no_attempt_was_under_way_then() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        fixture.answerCampaign(new CampaignReply.Wait(Duration.ofSeconds(10), 0));
        store.event(new StoreEvent.RollCall());
        answer(slow, granted(8));
        assertThat(fixture.election.isLeader()).isFalse();
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).as("asked for once more").isTrue();
    }

    @Test
    void a_late_grant_is_void_once_a_later_attempt_found_nothing_granted() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        fixture.answerCampaign(new CampaignReply.Wait(Duration.ofMillis(50), 0));
        answer(slow, granted(8));
        assertThat(fixture.election.isLeader()).isFalse();
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).as("asked for once more").isTrue();
    }

    @Test
    void a_late_grant_to_a_candidacy_that_has_ended_is_given_back() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        store.event(new StoreEvent.Acquired(leader("third", 9), Duration.ofSeconds(15)));
        fixture.answerCampaign(granted(8));
        String candidacy = slow.request().candidate().candidacy();
        assertThat(store.releases.remove().request().candidate().candidacy()).isEqualTo(candidacy);
        answer(slow, granted(10));
        assertThat(fixture.election.isLeader()).isFalse();
        assertThat(store.releases.remove().request().candidate().candidacy()).isEqualTo(candidacy);
    }

    @Test
    void sends_a_bounded_number_of_attempts_while_nothing_is_answered_and_says_so_once() {
        fixture.pass(ElectionFixture.LEASE);
        assertThat(store.campaigns).as("in the first lease").hasSize(4);
        store.campaigns.clear();
        fixture.pass(ElectionFixture.LEASE.multipliedBy(10));
        assertThat(store.campaigns).as("in ten more").hasSizeBetween(25, 30);
        assertThat(fixture.events(LeadershipEvent.StoreFailed.class)).hasSize(1);
    }

    @Test
    void waits_longer_before_it_sends_more_where_answers_take_long() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        store.campaigns.clear();
        answer(slow, new CampaignReply.Wait(Duration.ofMillis(50), 0));
        fixture.pass(Duration.ofMillis(60));
        assertThat(store.campaigns).hasSize(1);
        fixture.pass(Duration.ofMillis(4_900));
        assertThat(store.campaigns).as("it took three seconds before").hasSize(1);
    }

    @Test
    void a_grant_with_a_token_older_than_one_it_has_seen_is_given_back() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(1)));
        fixture.pass(Duration.ofMillis(1_002));
        store.event(new StoreEvent.Acquired(leader("third", 9), Duration.ofSeconds(15)));
        String candidacy = store.campaigns.peek().request().candidate().candidacy();
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isFalse();
        assertThat(store.releases.remove().request().candidate().candidacy()).isEqualTo(candidacy);
        assertThat(store.campaigns.remove().request().candidate().candidacy()).isNotEqualTo(candidacy);
    }

    /** Refusals need no replicas, so they are answered all the time. */
    @Test
    void grants_that_replicas_do_not_acknowledge_are_one_incident_until_somebody_has_led_for_two_leases() {
        fixture.answerCampaign(broken(StoreProblem.TOO_FEW_REPLICAS));
        for (int i = 0; i < 3; i++) {
            answerNext(new CampaignReply.Wait(Duration.ofSeconds(1), 0));
            answerNext(broken(StoreProblem.TOO_FEW_REPLICAS));
        }
        answerNext(held("other", 7, Duration.ofSeconds(12)));
        assertThat(fixture.events(LeadershipEvent.StoreFailed.class)).hasSize(1);
        assertThat(fixture.events(LeadershipEvent.StoreRecovered.class)).isEmpty();
        answerNext(held("other", 7, Duration.ofSeconds(12)));
        answerNext(held("other", 7, Duration.ofSeconds(12)));
        assertThat(fixture.events(LeadershipEvent.StoreRecovered.class))
                .as("before")
                .isEmpty();
        answerNext(held("other", 7, Duration.ofSeconds(12)));
        assertThat(fixture.events(LeadershipEvent.StoreRecovered.class)).hasSize(1);
    }

    @Test
    void an_acknowledged_grant_ends_such_an_incident_at_once() {
        fixture.answerCampaign(broken(StoreProblem.TOO_FEW_REPLICAS));
        answerNext(new CampaignReply.Wait(Duration.ofSeconds(1), 0));
        assertThat(fixture.events(LeadershipEvent.StoreRecovered.class)).isEmpty();
        answerNext(granted(8));
        assertThat(fixture.events(LeadershipEvent.StoreRecovered.class)).hasSize(1);
    }

    private void answerNext(CampaignReply reply) {
        while (store.campaigns.isEmpty()) {
            fixture.pass(Duration.ofMillis(10));
        }
        fixture.answerCampaign(reply);
    }

    @Test
    void a_failure_is_announced_with_the_action_of_the_store_that_answered() {
        fixture.answerCampaign(new NoAnswer(StoreProblem.FORBIDDEN, "no", "grant SELECT"));
        LeadershipEvent.StoreFailed failed = fixture.last(LeadershipEvent.StoreFailed.class);
        assertThat(failed.problem()).isEqualTo(StoreProblem.FORBIDDEN);
        assertThat(failed.detail()).isEqualTo("no");
        assertThat(failed.action()).isEqualTo("grant SELECT");
    }

    @Test
    void who_looks_up_the_leader_in_vain_is_told_the_action_of_the_store() {
        CompletionStage<StoreView> view = fixture.election.lookUp();
        store.looks.remove().answer(new NoAnswer(StoreProblem.FORBIDDEN, "no", "grant SELECT"));
        fixture.loop.settle();
        assertThat(view)
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .havingCause()
                .isInstanceOfSatisfying(StoreUnavailableException.class, failure -> assertThat(failure.getAction())
                        .isEqualTo("grant SELECT"))
                .withMessage("No usable reply from the store: grant SELECT (FORBIDDEN: no)");
    }

    @Test
    void goes_on_for_ever_with_bounded_pauses_while_the_store_fails_and_says_so_once() {
        int attempts = 0;
        for (int second = 0; second < 60; second++) {
            while (!store.campaigns.isEmpty()) {
                attempts++;
                fixture.answerCampaign(broken(StoreProblem.UNAUTHENTICATED));
            }
            fixture.pass(Duration.ofSeconds(1));
        }
        assertThat(attempts).isBetween(40, 80);
        assertThat(fixture.events(LeadershipEvent.StoreFailed.class)).hasSize(1);
        while (store.campaigns.isEmpty()) {
            fixture.pass(Duration.ofMillis(100));
        }
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isTrue();
        assertThat(fixture.events(LeadershipEvent.StoreRecovered.class)).hasSize(1);
    }

    @Test
    void survives_a_store_that_breaks_its_contract() {
        store.campaigns.remove().reply().completeExceptionally(new IllegalStateException("a defect of the store"));
        fixture.pass(Duration.ofSeconds(1));
        store.campaigns.remove().answer(null);
        fixture.pass(Duration.ofSeconds(1));
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void does_not_flood_a_store_that_holds_the_lease_of_an_older_leader_than_it_knows() {
        fixture.answerCampaign(held("other", 101, Duration.ofMillis(100)));
        fixture.pass(Duration.ofMillis(102));
        fixture.answerCampaign(held("lagging", 100, Duration.ofSeconds(9)));
        fixture.pass(Duration.ofMillis(8_990));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofMillis(12));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void late_news_while_it_waits_does_not_make_it_try() {
        fixture.answerCampaign(new CampaignReply.Wait(Duration.ofSeconds(15), 0));
        store.event(new StoreEvent.Released(new FencingToken(9), "third", Duration.ofSeconds(10)));
        store.event(new StoreEvent.Acquired(leader("other", 8), Duration.ofSeconds(15)));
        fixture.loop.settle();
        assertThat(store.campaigns).isEmpty();
    }

    @Test
    void a_leader_that_nothing_is_heard_of_is_not_known_to_lead_for_ever() {
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        fixture.pass(Duration.ofSeconds(16));
        assertThat(fixture.election.leader()).contains(leader("other", 7));
        fixture.pass(Duration.ofSeconds(2));
        assertThat(fixture.election.leader()).isEmpty();
    }

    @Test
    void a_stop_gives_back_a_grant_that_may_be_on_its_way() {
        CompletableFuture<?> stopped = fixture.election.stop();
        fixture.loop.settle();
        assertThat(store.releases.peek().request().grant()).isNull();
        assertThat(stopped).isNotDone();
        store.releases.remove().answer(new dev.election.store.ReleaseReply.NotHeld());
        fixture.loop.settle();
        assertThat(stopped).isDone();
        assertThat(fixture.election.role()).isEqualTo(Role.STOPPED);
        fixture.pass(Duration.ofMinutes(1));
        assertThat(store.campaigns).as("only the first").hasSize(1);
    }

    @Test
    void asks_again_instead_of_taking_a_grant_that_would_end_before_a_renewal_is_answered() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        fixture.pass(Duration.ofMillis(9_500));
        answerLatest(broken(StoreProblem.UNREACHABLE));
        store.campaigns.clear();
        answer(slow, granted(8));
        assertThat(fixture.election.isLeader()).as("with two seconds left").isFalse();
        assertThat(store.campaigns).hasSize(1);
        fixture.answerCampaign(granted(8));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    @Test
    void waits_for_the_attempt_under_way_instead_of_taking_a_grant_that_would_end_before_a_renewal_is_answered() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = hangs();
        fixture.pass(Duration.ofMillis(9_500));
        int asked = store.campaigns.size();
        answer(slow, granted(8));
        assertThat(fixture.election.isLeader()).as("with two seconds left").isFalse();
        assertThat(store.campaigns).as("each would be answered as late").hasSize(asked);
        answerLatest(granted(8));
        assertThat(fixture.election.isLeader()).isTrue();
    }

    /** Another attempt is made beside it, three seconds later. */
    private ScriptedStore.Asked<CampaignRequest, CampaignReply> hangs() {
        ScriptedStore.Asked<CampaignRequest, CampaignReply> slow = store.campaigns.remove();
        fixture.pass(Duration.ofSeconds(3));
        assertThat(store.campaigns).as("another attempt").hasSize(1);
        return slow;
    }

    private void rollCall(@Nullable String incarnation, long at) {
        store.event(new StoreEvent.RollCall(incarnation, Instant.ofEpochMilli(at)));
        fixture.loop.settle();
    }

    /** By the clock of the store. */
    private static CampaignReply grantedAt(long at, String incarnation) {
        Instant then = Instant.ofEpochMilli(at);
        return new CampaignReply.Granted(new FencingToken(8), then, then.plus(ElectionFixture.LEASE), incarnation);
    }

    private void answerLatest(CampaignReply reply) {
        answer(store.campaigns.removeLast(), reply);
    }

    private void answer(ScriptedStore.Asked<CampaignRequest, CampaignReply> asked, CampaignReply reply) {
        asked.answer(reply);
        fixture.loop.settle();
    }

    @Test
    void an_election_begins_and_ends_once_however_it_ends() {
        fixture.answerCampaign(new CampaignReply.Wait(Duration.ofMillis(50), 0));
        fixture.pass(Duration.ofMillis(60));
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        fixture.pass(Duration.ofMillis(12_002));
        fixture.answerCampaign(granted(8));
        assertThat(fixture.events.stream()
                        .map(event -> event.getClass().getSimpleName())
                        .toList())
                .isEqualTo(List.of(
                        "ElectionStarted",
                        "LeaderChanged",
                        "ElectionCompleted",
                        "ElectionStarted",
                        "LeaderChanged",
                        "ElectionCompleted",
                        "Acquired"));
    }
}
