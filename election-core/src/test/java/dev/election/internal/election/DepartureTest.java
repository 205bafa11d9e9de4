package dev.election.internal.election;

import static dev.election.internal.election.ScriptedStore.broken;
import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.leader;
import static dev.election.internal.election.ScriptedStore.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.Role;
import dev.election.StoreProblem;
import dev.election.StoreView;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DepartureTest {

    private final ElectionFixture fixture = ElectionFixture.leading();
    private final ScriptedStore store = fixture.store;
    private final LocalElection election = fixture.election;

    @Test
    void an_idle_leader_releases_at_once_and_has_stopped_to_believe_before_it_asks() {
        CompletableFuture<AbdicationOutcome> outcome = abdicate(Abdication.toAnyone());
        assertThat(store.releases).hasSize(1);
        assertThat(election.isLeader()).isFalse();
        assertThat(election.role()).isEqualTo(Role.COOLING_DOWN);
        assertThat(outcome).isNotDone();
        answerRelease(new ReleaseReply.Released());
        assertThat(outcome).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.ABDICATED);
    }

    @Test
    void an_idle_leader_has_asked_for_its_release_before_anybody_hears_that_it_resigns() {
        List<Integer> asked = new ArrayList<>();
        election.addListener(new LeadershipListener() {
            @Override
            public void onResigning(LeadershipEvent.Resigning event) {
                asked.add(store.releases.size());
            }
        });
        abdicate(Abdication.toAnyone());
        assertThat(asked).containsExactly(1);
        assertThat(fixture.events.subList(fixture.events.size() - 3, fixture.events.size()))
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("Resigning", "Lost", "LeaderChanged");
    }

    @Test
    void stays_out_for_the_cooldown_and_comes_back_as_another_candidacy() {
        abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(30)));
        String candidacy = store.releases.peek().request().candidate().candidacy();
        answerRelease(new ReleaseReply.Released());
        fixture.pass(Duration.ofSeconds(29));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofSeconds(1));
        assertThat(store.campaigns.remove().request().candidate().candidacy()).isNotEqualTo(candidacy);
    }

    @Test
    void names_the_successor_to_the_store() {
        abdicate(Abdication.to("third"));
        ReleaseRequest request = store.releases.remove().request();
        assertThat(request.successor()).isEqualTo("third");
        assertThat(request.reserve()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void waits_for_running_work_while_it_goes_on_renewing_and_admits_no_more() {
        LeaderWork work = election.beginWork().orElseThrow();
        abdicate(Abdication.toAnyone());
        assertThat(election.beginWork()).isEmpty();
        assertThat(election.runIfLeader(() -> {
                    throw new AssertionError("admitted");
                }))
                .isFalse();
        fixture.pass(Duration.ofSeconds(5));
        store.renewals.remove().answer(renewed());
        fixture.pass(Duration.ofSeconds(5));
        store.renewals.remove().answer(renewed());
        fixture.pass(Duration.ofSeconds(4));
        assertThat(store.releases).isEmpty();
        assertThat(election.isLeader()).as("the running work may rely on it").isTrue();
        assertThat(work.isCurrent()).isTrue();
        work.close();
        fixture.loop.settle();
        assertThat(store.releases).hasSize(1);
        assertThat(work.isCurrent()).isFalse();
        assertThat(fixture.events(LeadershipEvent.Resigning.class)).hasSize(1);
    }

    @Test
    void a_leader_that_is_evicted_while_it_drains_says_so_and_stays_out_for_the_longer_time() {
        LeaderWork work = election.beginWork().orElseThrow();
        CompletableFuture<AbdicationOutcome> outcome =
                abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(2)));
        fixture.pass(Duration.ofSeconds(5));
        store.renewals.remove().answer(new RenewReply.Lost(null, Duration.ofSeconds(30)));
        fixture.loop.settle();
        assertThat(outcome).isCompletedWithValue(AbdicationOutcome.ENDED_UNCONFIRMED);
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.EVICTED);
        fixture.pass(Duration.ofSeconds(29));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofSeconds(1));
        assertThat(store.campaigns).hasSize(1);
        work.close();
    }

    @Test
    void a_leader_that_is_superseded_while_it_drains_comes_back_with_the_token_of_whoever_holds_the_lease() {
        election.beginWork().orElseThrow();
        abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(1)));
        fixture.pass(Duration.ofSeconds(5));
        store.renewals.remove().answer(new RenewReply.Lost(held("other", 200, Duration.ofSeconds(9))));
        fixture.pass(Duration.ofSeconds(1));
        assertThat(store.campaigns.remove().request().seen()).isEqualTo(200);
    }

    @Test
    void does_not_wait_for_work_longer_than_it_was_told() {
        election.beginWork().orElseThrow();
        abdicate(Abdication.toAnyone().drainingFor(Duration.ofSeconds(2)));
        fixture.pass(Duration.ofMillis(1_999));
        assertThat(store.releases).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        assertThat(store.releases).hasSize(1);
        assertThat(election.runningWork()).isEqualTo(1);
    }

    @Test
    void work_of_an_earlier_leadership_that_ends_does_not_cut_the_drain_of_a_later_one_short() {
        LeaderWork old = election.beginWork().orElseThrow();
        fixture.pass(Duration.ofSeconds(15));
        store.releases.clear();
        old.close();
        fixture.answerCampaign(granted(101));
        LeaderWork young = election.beginWork().orElseThrow();
        abdicate(Abdication.toAnyone());
        fixture.loop.settle();
        assertThat(store.releases).as("while the new work runs").isEmpty();
        assertThat(old.isCurrent()).isFalse();
        young.close();
        fixture.loop.settle();
        assertThat(store.releases).hasSize(1);
    }

    @Test
    void a_leader_that_is_asked_by_its_token_says_how_long_its_work_may_take_and_releases() {
        LeaderWork work = election.beginWork().orElseThrow();
        store.messages.clear();
        hear(asked("one", 100));
        assertThat(store.messages).containsExactly(new NodeMessage.AbdicationHeard("one", Duration.ofSeconds(7)));
        assertThat(election.beginWork()).isEmpty();
        fixture.pass(Duration.ofSeconds(2));
        hear(asked("two", 100));
        assertThat(store.messages).contains(new NodeMessage.AbdicationHeard("two", Duration.ofSeconds(5)));
        assertThat(fixture.events(LeadershipEvent.Resigning.class)).hasSize(1);
        work.close();
        fixture.loop.settle();
        ReleaseRequest release = store.releases.remove().request();
        assertThat(release.successor()).isEqualTo("third");
        assertThat(release.reason()).isEqualTo(LossReason.ABDICATED);
    }

    @Test
    void what_was_asked_for_reaches_the_store_as_it_was_asked() {
        Abdication how = new Abdication(
                Duration.ofSeconds(7), Duration.ofSeconds(30), "third", Duration.ofSeconds(3), "alice at third");
        hear(new NodeMessage.AbdicationRequested("one", new FencingToken(100), how));
        assertThat(store.releases.remove().request().how()).isEqualTo(how);
        assertThat(fixture.last(LeadershipEvent.Resigning.class).requestedBy()).isEqualTo("alice at third");
    }

    @Test
    void a_leader_that_is_asked_without_a_bound_for_its_work_uses_its_own() {
        election.beginWork().orElseThrow();
        store.messages.clear();
        hear(new NodeMessage.AbdicationRequested(
                "one", new FencingToken(100), Abdication.toAnyone().coolingDownFor(Duration.ZERO)));
        assertThat(store.messages).containsExactly(new NodeMessage.AbdicationHeard("one", Duration.ofSeconds(30)));
    }

    @Test
    void a_request_that_means_an_earlier_leadership_is_not_heard() {
        hear(asked("late", 99));
        assertThat(election.isLeader()).isTrue();
        assertThat(store.messages).noneMatch(NodeMessage.AbdicationHeard.class::isInstance);
        assertThat(store.renewals).isEmpty();
    }

    @Test
    void closing_work_twice_counts_once() {
        LeaderWork first = election.beginWork().orElseThrow();
        election.beginWork().orElseThrow();
        first.close();
        first.close();
        assertThat(election.runningWork()).isEqualTo(1);
    }

    @Test
    void asks_again_when_the_release_fails_and_gives_up_when_the_lease_has_ended_anyway() {
        CompletableFuture<AbdicationOutcome> outcome = abdicate(Abdication.toAnyone());
        int attempts = 0;
        while (!outcome.isDone()) {
            while (!store.releases.isEmpty()) {
                attempts++;
                answerRelease(broken(StoreProblem.UNREACHABLE));
            }
            fixture.pass(Duration.ofMillis(20));
        }
        assertThat(attempts).isGreaterThan(4);
        assertThat(outcome).isCompletedWithValue(AbdicationOutcome.ENDED_UNCONFIRMED);
    }

    @Test
    void a_stop_drains_and_releases_and_takes_no_part_any_more() {
        LeaderWork work = election.beginWork().orElseThrow();
        CompletableFuture<AbdicationOutcome> stopped = election.stop();
        fixture.loop.settle();
        assertThat(stopped).isNotDone();
        work.close();
        fixture.loop.settle();
        answerRelease(new ReleaseReply.Released());
        assertThat(stopped).isDone();
        assertThat(election.role()).isEqualTo(Role.STOPPED);
        assertThat(fixture.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.STOPPED);
        fixture.pass(Duration.ofMinutes(5));
        assertThat(store.campaigns).isEmpty();
    }

    @Test
    void a_stop_during_an_abdication_ends_both() {
        LeaderWork work = election.beginWork().orElseThrow();
        CompletableFuture<AbdicationOutcome> abdicated = abdicate(Abdication.toAnyone());
        CompletableFuture<AbdicationOutcome> stopped = election.stop();
        work.close();
        fixture.loop.settle();
        answerRelease(new ReleaseReply.Released());
        assertThat(abdicated).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(stopped).isDone();
        assertThat(election.role()).isEqualTo(Role.STOPPED);
    }

    @Test
    void can_be_started_again_even_before_the_stop_is_through() {
        election.stop();
        fixture.loop.settle();
        election.start(ElectionFixture.IDENTITY);
        fixture.loop.settle();
        answerRelease(new ReleaseReply.Released());
        fixture.pass(Duration.ofMillis(1));
        assertThat(store.campaigns).hasSize(1);
        assertThat(election.role()).isEqualTo(Role.FOLLOWER);
    }

    @Test
    void leadership_that_ends_while_it_drains_ends_the_departure_too() {
        election.beginWork().orElseThrow();
        CompletableFuture<AbdicationOutcome> outcome = abdicate(Abdication.toAnyone());
        fixture.pass(Duration.ofSeconds(15));
        assertThat(outcome).isCompletedWithValue(AbdicationOutcome.ENDED_UNCONFIRMED);
        assertThat(election.isLeader()).isFalse();
    }

    @Test
    void two_abdications_at_once_share_one_release() {
        CompletableFuture<AbdicationOutcome> first = abdicate(Abdication.toAnyone());
        CompletableFuture<AbdicationOutcome> second = abdicate(Abdication.toAnyone());
        assertThat(store.releases).hasSize(1);
        answerRelease(new ReleaseReply.Released());
        assertThat(first).isCompletedWithValue(AbdicationOutcome.RELEASED);
        assertThat(second).isCompletedWithValue(AbdicationOutcome.RELEASED);
    }

    @Test
    void who_does_not_lead_has_nothing_to_give_up() {
        ElectionFixture follower = ElectionFixture.started();
        CompletableFuture<AbdicationOutcome> outcome =
                follower.election.abdicate().toCompletableFuture();
        follower.loop.settle();
        assertThat(outcome).isCompletedWithValue(AbdicationOutcome.NOT_LEADER);
    }

    @Test
    void a_node_that_rests_looks_once_a_lease_whether_the_leader_it_knows_goes_on() {
        rest();
        hear(new StoreEvent.Acquired(leader("other", 101), Duration.ofSeconds(15)));
        List<LeadershipEvent> before = List.copyOf(fixture.events);
        for (int lease = 0; lease < 20; lease++) {
            fixture.pass(Duration.ofMillis(15_001));
            assertThat(store.looks).hasSize(1);
            answerLook(leader("other", 101));
        }
        assertThat(election.leader()).contains(leader("other", 101));
        assertThat(fixture.events).isEqualTo(before);
    }

    @Test
    void a_node_that_rests_forgets_a_leader_that_is_gone_and_says_so_once() {
        rest();
        hear(new StoreEvent.Acquired(leader("other", 101), Duration.ofSeconds(15)));
        List<LeadershipEvent> before = List.copyOf(fixture.events);
        fixture.pass(Duration.ofMillis(15_001));
        answerLook(null);
        assertThat(election.leader()).isEmpty();
        fixture.pass(Duration.ofHours(1));
        assertThat(store.looks).isEmpty();
        assertThat(fixture.events.subList(before.size(), fixture.events.size()))
                .singleElement()
                .isInstanceOfSatisfying(LeadershipEvent.LeaderChanged.class, changed -> assertThat(changed.leader())
                        .isEmpty());
        hear(new StoreEvent.Connected());
        answerLook(leader("third", 102));
        assertThat(election.leader()).contains(leader("third", 102));
    }

    @Test
    void a_node_that_rests_and_finds_nobody_to_ask_forgets_the_leader_all_the_same() {
        rest();
        hear(new StoreEvent.Acquired(leader("other", 101), Duration.ofSeconds(15)));
        fixture.pass(Duration.ofSeconds(16));
        store.looks.remove().answer(broken(StoreProblem.UNREACHABLE));
        fixture.pass(Duration.ofSeconds(3));
        assertThat(election.leader()).contains(leader("other", 101));
        fixture.pass(Duration.ofSeconds(2));
        assertThat(election.leader()).isEmpty();
        assertThat(store.looks).as("asked a second time").hasSize(1);
    }

    @Test
    void a_node_that_rests_asks_who_leads_until_it_has_an_answer() {
        rest();
        hear(new StoreEvent.Connected());
        store.looks.remove().answer(broken(StoreProblem.UNREACHABLE));
        fixture.pass(Duration.ofSeconds(3));
        answerLook(leader("other", 101));
        assertThat(election.leader()).contains(leader("other", 101));
    }

    @Test
    void a_node_that_rests_takes_nobody_for_the_leader_if_its_own_lease_is_still_there() {
        rest();
        List<LeadershipEvent> before = List.copyOf(fixture.events);
        hear(new StoreEvent.Connected());
        answerLook(leader("me", 100));
        assertThat(election.leader()).isEmpty();
        assertThat(fixture.events).isEqualTo(before);
        fixture.pass(Duration.ofHours(1));
        assertThat(store.looks).isEmpty();
    }

    @Test
    void a_store_that_tells_of_an_older_leader_is_not_flooded_by_a_node_that_rests() {
        rest();
        hear(new StoreEvent.Acquired(leader("other", 101), Duration.ofSeconds(15)));
        fixture.pass(Duration.ofMillis(15_001));
        answerLook(leader("older", 99));
        assertThat(store.looks).isEmpty();
        fixture.pass(Duration.ofSeconds(6));
        assertThat(store.looks).hasSize(1);
        assertThat(election.leader()).isEmpty();
    }

    @Test
    void who_has_stopped_knows_no_leader_any_more() {
        rest();
        hear(new StoreEvent.Acquired(leader("other", 101), Duration.ofSeconds(15)));
        election.stop();
        fixture.loop.settle();
        assertThat(election.leader()).isEmpty();
        assertThat(fixture.last(LeadershipEvent.LeaderChanged.class).leader()).isEmpty();
    }

    @Test
    void a_follower_that_has_stopped_knows_no_leader_any_more() {
        ElectionFixture follower = ElectionFixture.started();
        follower.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        follower.election.stop();
        follower.loop.settle();
        follower.store.releases.remove().answer(new ReleaseReply.NotHeld());
        follower.loop.settle();
        assertThat(follower.election.leader()).isEmpty();
        assertThat(follower.events.stream().map(event -> event.getClass().getSimpleName()))
                .containsExactly("ElectionStarted", "LeaderChanged", "ElectionCompleted", "LeaderChanged");
    }

    @Test
    void a_grant_that_comes_after_the_stop_is_given_back() {
        ElectionFixture follower = ElectionFixture.started();
        follower.election.stop();
        follower.loop.settle();
        follower.store.releases.remove().answer(new ReleaseReply.NotHeld());
        follower.loop.settle();
        CampaignRequest campaign = follower.store.campaigns.peek().request();
        follower.answerCampaign(granted(8));
        assertGivenBack(follower.store, campaign, 8);
        assertThat(follower.election.role()).isEqualTo(Role.STOPPED);
    }

    @Test
    void a_grant_that_comes_during_the_stop_is_given_back() {
        ElectionFixture follower = ElectionFixture.started();
        follower.election.stop();
        follower.loop.settle();
        follower.store.releases.remove();
        CampaignRequest campaign = follower.store.campaigns.peek().request();
        follower.answerCampaign(granted(8));
        assertGivenBack(follower.store, campaign, 8);
    }

    /** With a cooldown of nothing the node takes part again as another candidacy. */
    @ParameterizedTest
    @ValueSource(ints = {0, 30})
    void a_grant_to_a_candidacy_that_has_abdicated_is_given_back(int cooldown) {
        ElectionFixture hasty = ElectionFixture.started();
        ScriptedStore.Asked<CampaignRequest, CampaignReply> hung = hasty.store.campaigns.remove();
        hasty.pass(Duration.ofSeconds(3));
        hasty.answerCampaign(granted(100));
        hasty.election.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(cooldown)));
        hasty.loop.settle();
        hasty.store.releases.remove().answer(new ReleaseReply.Released());
        hasty.pass(Duration.ofSeconds(1));
        hung.answer(granted(101));
        hasty.loop.settle();
        assertGivenBack(hasty.store, hung.request(), 101);
    }

    @Test
    void a_repeated_grant_of_what_is_being_released_is_left_to_that_release() {
        ElectionFixture hasty = ElectionFixture.started();
        ScriptedStore.Asked<CampaignRequest, CampaignReply> hung = hasty.store.campaigns.remove();
        hasty.pass(Duration.ofSeconds(3));
        hasty.answerCampaign(granted(100));
        hasty.election.abdicate(Abdication.to("third"));
        hasty.loop.settle();
        hung.answer(granted(100));
        hasty.loop.settle();
        assertThat(hasty.store.releases).hasSize(1);
    }

    private static void assertGivenBack(ScriptedStore store, CampaignRequest campaign, long token) {
        ReleaseRequest release = store.releases.remove().request();
        assertThat(release.candidate()).isEqualTo(campaign.candidate());
        assertThat(release.grant()).extracting(ReleaseRequest.Grant::token).isEqualTo(new FencingToken(token));
        assertThat(store.releases).isEmpty();
    }

    private void rest() {
        abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofDays(1)));
        answerRelease(new ReleaseReply.Released());
    }

    /** For another lease, or that nobody does. */
    private void answerLook(@Nullable Leader leader) {
        Duration remaining = leader == null ? Duration.ZERO : Duration.ofSeconds(15);
        store.looks
                .remove()
                .answer(new ReadReply.Read(
                        new StoreView(Instant.EPOCH, Optional.ofNullable(leader), remaining, List.of())));
        fixture.loop.settle();
    }

    private CompletableFuture<AbdicationOutcome> abdicate(Abdication how) {
        CompletableFuture<AbdicationOutcome> outcome = election.abdicate(how).toCompletableFuture();
        fixture.loop.settle();
        return outcome;
    }

    private void answerRelease(ReleaseReply reply) {
        store.releases.remove().answer(reply);
        fixture.loop.settle();
    }

    private void hear(NodeMessage message) {
        hear(new StoreEvent.Received(message));
    }

    private void hear(StoreEvent event) {
        store.event(event);
        fixture.loop.settle();
    }

    private static NodeMessage asked(String request, long token) {
        return new NodeMessage.AbdicationRequested(
                request,
                new FencingToken(token),
                new Abdication(Duration.ofSeconds(7), Duration.ZERO, "third", Duration.ofSeconds(3)));
    }
}
