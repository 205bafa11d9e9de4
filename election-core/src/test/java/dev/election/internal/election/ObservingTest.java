package dev.election.internal.election;

import static dev.election.internal.election.ScriptedStore.broken;
import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.leader;
import static dev.election.internal.election.ScriptedStore.renewed;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AssignedRole;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.Role;
import dev.election.StoreProblem;
import dev.election.StoreView;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Observers, and changes between observer and candidate at the worst moment. Lease 15 s, renewed every 5 s, patience 2.5 s. */
class ObservingTest {

    private static final Duration LEASE = ElectionFixture.LEASE;

    @Test
    void an_observer_asks_who_leads_and_never_campaigns() throws InterruptedException {
        ElectionFixture observer = observing();
        assertThat(observer.election.role()).isEqualTo(Role.OBSERVER);
        assertThat(observer.election.awaitResult(Duration.ZERO)).isFalse();
        answerLook(observer, leader("other", 7), LEASE);
        assertThat(observer.election.leader()).contains(leader("other", 7));
        assertThat(observer.election.awaitResult(Duration.ZERO)).isTrue();
        assertThat(observer.election.beginWork()).isEmpty();
        assertThat(names(observer))
                .containsExactly("ElectionStarted", "RoleChanged", "LeaderChanged", "ElectionCompleted");
        observer.pass(Duration.ofMinutes(10));
        assertThat(observer.store.conversations).isEmpty();
    }

    @Test
    void asks_once_a_lease_while_the_leader_renews() {
        ElectionFixture observer = observing();
        // The worst moment: just before a renewal.
        Duration remaining = LEASE.multipliedBy(2).dividedBy(3);
        answerLook(observer, leader("other", 7), remaining);
        for (int lease = 0; lease < 10; lease++) {
            observer.pass(LEASE.minusMillis(1));
            assertThat(observer.store.looks).isEmpty();
            observer.pass(Duration.ofMillis(1));
            assertThat(observer.store.looks).hasSize(1);
            answerLook(observer, leader("other", 7), remaining);
        }
        assertThat(observer.events(LeadershipEvent.LeaderChanged.class)).hasSize(1);
    }

    @Test
    void asks_once_a_lease_while_nobody_leads() {
        ElectionFixture observer = observing();
        answerLook(observer, null, Duration.ZERO);
        observer.pass(LEASE.minusMillis(1));
        assertThat(observer.store.looks).isEmpty();
        observer.pass(Duration.ofMillis(1));
        answerLook(observer, leader("other", 7), LEASE);
        assertThat(observer.election.leader()).contains(leader("other", 7));
    }

    @Test
    void hears_at_once_that_a_leader_has_released_and_another_was_granted_the_lease() {
        ElectionFixture observer = observing();
        answerLook(observer, leader("other", 7), LEASE);
        hear(observer, new StoreEvent.Released(new FencingToken(7), null, Duration.ZERO));
        assertThat(observer.election.leader()).isEmpty();
        hear(observer, new StoreEvent.Acquired(leader("third", 8), LEASE));
        assertThat(observer.election.leader()).contains(leader("third", 8));
        assertThat(observer.store.looks).isEmpty();
        assertThat(names(observer).subList(4, 8))
                .containsExactly("LeaderChanged", "ElectionStarted", "LeaderChanged", "ElectionCompleted");
    }

    @Test
    void a_reply_from_before_the_news_changes_nothing() {
        ElectionFixture observer = observing();
        hear(observer, new StoreEvent.Acquired(leader("third", 8), LEASE));
        answerLook(observer, null, Duration.ZERO);
        assertThat(observer.election.leader()).contains(leader("third", 8));
        observer.pass(LEASE);
        answerLook(observer, null, Duration.ZERO);
        assertThat(observer.election.leader()).as("asked after it").isEmpty();
    }

    @Test
    void asks_at_once_when_the_store_can_be_heard_again() {
        ElectionFixture observer = observing();
        answerLook(observer, leader("other", 7), LEASE);
        hear(observer, new StoreEvent.Connected());
        answerLook(observer, leader("third", 8), LEASE);
        assertThat(observer.election.leader()).contains(leader("third", 8));
    }

    @Test
    void a_leader_whose_lease_runs_out_is_asked_for_early_and_forgotten() {
        ElectionFixture observer = observing();
        answerLook(observer, leader("other", 7), Duration.ofSeconds(2));
        observer.pass(Duration.ofSeconds(7).minusMillis(1));
        assertThat(observer.store.looks).isEmpty();
        observer.pass(Duration.ofMillis(1));
        assertThat(observer.election.leader()).isPresent();
        answerLook(observer, null, Duration.ZERO);
        assertThat(observer.election.leader()).isEmpty();
        assertThat(observer.last(LeadershipEvent.ElectionStarted.class).since())
                .as("when its lease was known to be renewed")
                .isBefore(observer.last(LeadershipEvent.ElectionStarted.class).at());
    }

    @Test
    void without_an_answer_the_leader_is_forgotten_and_the_problem_is_announced_once() {
        ElectionFixture observer = observing();
        answerLook(observer, leader("other", 7), LEASE);
        observer.pass(LEASE);
        observer.store.looks.remove().answer(broken(StoreProblem.UNREACHABLE));
        observer.loop.settle();
        assertThat(observer.last(LeadershipEvent.StoreFailed.class).problem()).isEqualTo(StoreProblem.UNREACHABLE);
        observer.pass(LEASE);
        assertThat(observer.election.leader()).isEmpty();
        assertThat(observer.store.looks).as("a few questions a lease").hasSizeBetween(2, 4);
        assertThat(observer.events(LeadershipEvent.StoreFailed.class))
                .extracting(LeadershipEvent.StoreFailed::problem)
                .containsExactly(StoreProblem.UNREACHABLE, StoreProblem.TIMED_OUT);
        observer.store.looks.removeLast().answer(read(leader("other", 7), LEASE));
        observer.loop.settle();
        assertThat(observer.events(LeadershipEvent.StoreRecovered.class)).hasSize(1);
        assertThat(observer.election.leader()).isPresent();
    }

    @Test
    void a_late_reply_counts_unless_a_lease_could_have_ended_since() {
        ElectionFixture observer = observing();
        observer.pass(Duration.ofSeconds(14));
        observer.store.looks.getFirst().answer(read(leader("other", 7), LEASE));
        observer.loop.settle();
        assertThat(observer.election.leader()).isPresent();
        ElectionFixture another = observing();
        another.pass(LEASE);
        another.store.looks.getFirst().answer(read(leader("other", 7), LEASE));
        another.loop.settle();
        assertThat(another.election.leader()).isEmpty();
    }

    @Test
    void a_store_that_tells_of_an_older_leader_is_not_flooded() {
        ElectionFixture observer = observing();
        answerLook(observer, leader("other", 101), Duration.ofSeconds(1));
        observer.pass(Duration.ofSeconds(6));
        answerLook(observer, leader("older", 99), LEASE);
        assertThat(observer.election.leader()).isEmpty();
        observer.pass(LEASE.minusSeconds(1));
        assertThat(observer.store.looks).isEmpty();
    }

    @Test
    void a_leader_that_becomes_an_observer_waits_for_its_work_releases_and_does_not_campaign() {
        ElectionFixture leader = ElectionFixture.leading();
        LeaderWork work = leader.election.beginWork().orElseThrow();
        CompletableFuture<Void> changed = setRole(leader, AssignedRole.OBSERVER);
        assertThat(leader.election.beginWork()).isEmpty();
        leader.pass(Duration.ofSeconds(5));
        leader.store.renewals.remove().answer(renewed());
        leader.loop.settle();
        assertThat(leader.election.role()).isEqualTo(Role.LEADER);
        assertThat(leader.store.releases).isEmpty();
        work.close();
        leader.loop.settle();
        assertThat(leader.election.isLeader()).isFalse();
        assertThat(leader.election.role()).isEqualTo(Role.OBSERVER);
        assertThat(changed).isNotDone();
        assertThat(answerRelease(leader).reason()).isEqualTo(LossReason.ABDICATED);
        assertThat(changed).isCompleted();
        assertThat(leader.last(LeadershipEvent.RoleChanged.class).role()).isEqualTo(AssignedRole.OBSERVER);
        leader.pass(Duration.ofMinutes(5));
        assertThat(leader.store.campaigns).isEmpty();
    }

    @Test
    void a_follower_that_becomes_an_observer_leaves_the_queue() {
        ElectionFixture follower = ElectionFixture.started();
        follower.answerCampaign(held("other", 7, LEASE));
        CompletableFuture<Void> changed = setRole(follower, AssignedRole.OBSERVER);
        ReleaseRequest release = answerRelease(follower);
        assertThat(release.grant()).isNull();
        assertThat(changed).isCompleted();
        assertThat(follower.election.leader()).contains(leader("other", 7));
        answerLook(follower, leader("other", 7), LEASE);
        follower.pass(Duration.ofMinutes(5));
        assertThat(follower.store.campaigns).isEmpty();
    }

    @Test
    void a_grant_that_arrives_after_the_change_is_given_back() {
        for (boolean isReleased : List.of(false, true)) {
            ElectionFixture candidate = ElectionFixture.started();
            ScriptedStore.Asked<CampaignRequest, CampaignReply> campaign = candidate.store.campaigns.remove();
            setRole(candidate, AssignedRole.OBSERVER);
            ReleaseRequest withdrawal = candidate.store.releases.peek().request();
            if (isReleased) {
                answerRelease(candidate);
            }
            campaign.answer(granted(100));
            candidate.loop.settle();
            assertThat(candidate.election.isLeader()).isFalse();
            ReleaseRequest givenBack = candidate.store.releases.removeLast().request();
            assertThat(givenBack.candidate()).isEqualTo(withdrawal.candidate());
            assertThat(givenBack.grant().token()).isEqualTo(new FencingToken(100));
            assertThat(candidate.events(LeadershipEvent.Acquired.class)).isEmpty();
        }
    }

    @Test
    void an_observer_takes_nobody_for_the_leader_by_a_lease_that_it_gives_back() {
        ElectionFixture observer = observing();
        hear(observer, new StoreEvent.Acquired(leader("me", 100), LEASE));
        assertThat(observer.election.leader()).isEmpty();
        answerLook(observer, leader("me", 100), LEASE);
        assertThat(observer.election.leader()).isEmpty();
        assertThat(names(observer)).containsExactly("ElectionStarted", "RoleChanged");
    }

    @Test
    void an_observer_that_becomes_a_candidate_campaigns_at_once_with_all_that_it_knows() {
        ElectionFixture observer = observing();
        answerLook(observer, leader("other", 7), LEASE);
        CompletableFuture<Void> changed = setRole(observer, AssignedRole.CANDIDATE);
        assertThat(changed).isCompleted();
        assertThat(observer.election.role()).isEqualTo(Role.FOLLOWER);
        assertThat(observer.last(LeadershipEvent.RoleChanged.class).role()).isEqualTo(AssignedRole.CANDIDATE);
        assertThat(observer.store.campaigns.peek().request().seen()).isEqualTo(7);
        observer.answerCampaign(granted(8));
        assertThat(observer.election.isLeader()).isTrue();
    }

    @Test
    void a_candidate_that_was_led_before_it_observed_has_a_new_candidacy() {
        ElectionFixture leader = ElectionFixture.leading();
        setRole(leader, AssignedRole.OBSERVER);
        String before = answerRelease(leader).candidate().candidacy();
        setRole(leader, AssignedRole.CANDIDATE);
        assertThat(leader.store.campaigns.peek().request().candidate().candidacy())
                .isNotEqualTo(before);
    }

    @Test
    void the_same_role_once_more_changes_nothing() {
        ElectionFixture leader = ElectionFixture.leading();
        assertThat(setRole(leader, AssignedRole.CANDIDATE)).isCompleted();
        assertThat(leader.election.isLeader()).isTrue();
        ElectionFixture observer = observing();
        assertThat(setRole(observer, AssignedRole.OBSERVER)).isCompleted();
        assertThat(observer.store.looks).hasSize(1);
        assertThat(observer.events(LeadershipEvent.RoleChanged.class)).hasSize(1);
    }

    @Test
    void a_leader_that_is_a_candidate_again_before_its_work_has_ended_hands_over_and_comes_back_at_once() {
        ElectionFixture leader = ElectionFixture.leading();
        LeaderWork work = leader.election.beginWork().orElseThrow();
        CompletableFuture<Void> first = setRole(leader, AssignedRole.OBSERVER);
        CompletableFuture<Void> second = setRole(leader, AssignedRole.CANDIDATE);
        work.close();
        answerRelease(leader);
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        leader.pass(Duration.ZERO);
        assertThat(leader.store.campaigns).hasSize(1);
        assertThat(leader.events(LeadershipEvent.RoleChanged.class)).isEmpty();
    }

    @Test
    void the_last_of_three_calls_counts_while_a_release_is_under_way() {
        ElectionFixture follower = ElectionFixture.started();
        follower.answerCampaign(held("other", 7, LEASE));
        setRole(follower, AssignedRole.OBSERVER);
        setRole(follower, AssignedRole.CANDIDATE);
        CompletableFuture<Void> third = setRole(follower, AssignedRole.OBSERVER);
        assertThat(third).isNotDone();
        answerRelease(follower);
        assertThat(third).isCompleted();
        assertThat(follower.election.role()).isEqualTo(Role.OBSERVER);
        assertThat(follower.store.looks).hasSize(1);
    }

    @Test
    void a_stop_comes_before_a_change_and_a_start_after_it_takes_the_role() {
        ElectionFixture leader = ElectionFixture.leading();
        LeaderWork work = leader.election.beginWork().orElseThrow();
        CompletableFuture<Void> changed = setRole(leader, AssignedRole.OBSERVER);
        CompletableFuture<?> stopped = leader.election.stop();
        leader.loop.settle();
        work.close();
        assertThat(answerRelease(leader).reason()).isEqualTo(LossReason.STOPPED);
        assertThat(changed).isCompleted();
        assertThat(stopped).isCompleted();
        assertThat(leader.election.role()).isEqualTo(Role.STOPPED);
        leader.start(ElectionFixture.IDENTITY);
        assertThat(leader.election.role()).isEqualTo(Role.OBSERVER);
        assertThat(leader.store.campaigns).isEmpty();
    }

    @Test
    void a_change_does_not_undo_a_stop() {
        for (AssignedRole role : AssignedRole.values()) {
            ElectionFixture leader = ElectionFixture.leading();
            LeaderWork work = leader.election.beginWork().orElseThrow();
            leader.election.stop();
            leader.loop.settle();
            CompletableFuture<Void> changed = setRole(leader, role);
            assertThat(changed).isNotDone();
            work.close();
            answerRelease(leader);
            assertThat(changed).isCompleted();
            leader.pass(Duration.ofMinutes(1));
            assertThat(leader.election.role()).isEqualTo(Role.STOPPED);
            assertThat(leader.store.campaigns).isEmpty();
            assertThat(leader.store.looks).isEmpty();
        }
    }

    @Test
    void a_leader_that_is_started_again_as_an_observer_before_its_stop_is_through_observes_then() {
        ElectionFixture leader = ElectionFixture.leading();
        leader.election.stop();
        leader.loop.settle();
        setRole(leader, AssignedRole.OBSERVER);
        leader.start(ElectionFixture.IDENTITY);
        answerRelease(leader);
        assertThat(leader.election.role()).isEqualTo(Role.OBSERVER);
        leader.pass(Duration.ofMinutes(1));
        assertThat(leader.store.campaigns).isEmpty();
    }

    @Test
    void an_observer_that_stops_sends_nothing_and_knows_no_leader() {
        ElectionFixture observer = observing();
        answerLook(observer, leader("other", 7), LEASE);
        CompletableFuture<?> stopped = observer.election.stop();
        observer.loop.settle();
        assertThat(stopped).isCompleted();
        assertThat(observer.election.role()).isEqualTo(Role.STOPPED);
        assertThat(observer.election.leader()).isEmpty();
        assertThat(observer.store.releases).isEmpty();
        assertThat(observer.store.isListenedTo()).isFalse();
        assertThat(observer.loop.isIdle()).isTrue();
    }

    @Test
    void a_reply_from_before_a_stop_is_none_after_the_next_start() {
        ElectionFixture observer = observing();
        ScriptedStore.Asked<String, ReadReply> early = observer.store.looks.remove();
        observer.election.stop();
        observer.start(ElectionFixture.IDENTITY);
        early.answer(read(leader("other", 7), LEASE));
        observer.loop.settle();
        assertThat(observer.election.leader()).isEmpty();
    }

    @Test
    void one_that_cools_down_observes_at_once_and_does_not_come_back() {
        ElectionFixture leader = ElectionFixture.leading();
        leader.election.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(30)));
        leader.loop.settle();
        answerRelease(leader);
        assertThat(leader.election.role()).isEqualTo(Role.COOLING_DOWN);
        assertThat(setRole(leader, AssignedRole.OBSERVER)).isCompleted();
        assertThat(leader.election.role()).isEqualTo(Role.OBSERVER);
        leader.pass(Duration.ofMinutes(1));
        assertThat(leader.store.campaigns).isEmpty();
    }

    @Test
    void a_leader_that_abdicates_and_becomes_an_observer_meanwhile_stays_one() {
        ElectionFixture leader = ElectionFixture.leading();
        leader.election.abdicate(Abdication.to("third"));
        leader.loop.settle();
        CompletableFuture<Void> changed = setRole(leader, AssignedRole.OBSERVER);
        assertThat(answerRelease(leader).successor()).isEqualTo("third");
        assertThat(changed).isCompleted();
        leader.pass(Duration.ofMinutes(1));
        assertThat(leader.store.campaigns).isEmpty();
    }

    @Test
    void a_leader_that_loses_its_lease_while_its_work_ends_observes_all_the_same() {
        ElectionFixture leader = ElectionFixture.leading();
        LeaderWork work = leader.election.beginWork().orElseThrow();
        CompletableFuture<Void> changed = setRole(leader, AssignedRole.OBSERVER);
        leader.pass(Duration.ofSeconds(5));
        leader.store.renewals.remove().answer(new RenewReply.Lost(held("other", 101, LEASE)));
        leader.loop.settle();
        assertThat(changed).isCompleted();
        assertThat(leader.election.role()).isEqualTo(Role.OBSERVER);
        work.close();
        leader.pass(Duration.ofMinutes(1));
        assertThat(leader.store.campaigns).isEmpty();
    }

    @Test
    void a_leader_whose_lease_has_ended_observes_without_another_campaign() {
        ElectionFixture leader = ElectionFixture.leading();
        leader.loop.freeze(LEASE);
        assertThat(setRole(leader, AssignedRole.OBSERVER)).isCompleted();
        assertThat(leader.last(LeadershipEvent.Lost.class).reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(leader.election.role()).isEqualTo(Role.OBSERVER);
        assertThat(leader.store.campaigns).isEmpty();
    }

    @Test
    void a_leader_that_becomes_an_observer_while_it_waits_to_abdicate_stays_one() {
        ElectionFixture leader = ElectionFixture.leading();
        LeaderWork work = leader.election.beginWork().orElseThrow();
        leader.election.abdicate(Abdication.to("third"));
        CompletableFuture<Void> changed = setRole(leader, AssignedRole.OBSERVER);
        assertThat(leader.events(LeadershipEvent.Resigning.class)).hasSize(1);
        work.close();
        assertThat(answerRelease(leader).successor()).isEqualTo("third");
        assertThat(changed).isCompleted();
        leader.pass(Duration.ofMinutes(1));
        assertThat(leader.store.campaigns).isEmpty();
    }

    @Test
    void a_follower_that_is_a_candidate_again_before_its_release_is_answered_campaigns_then() {
        ElectionFixture follower = ElectionFixture.started();
        follower.answerCampaign(held("other", 7, LEASE));
        setRole(follower, AssignedRole.OBSERVER);
        CompletableFuture<Void> changed = setRole(follower, AssignedRole.CANDIDATE);
        assertThat(changed).isNotDone();
        answerRelease(follower);
        assertThat(changed).isCompleted();
        follower.pass(Duration.ZERO);
        assertThat(follower.store.campaigns).hasSize(1);
    }

    @Test
    void an_observer_that_was_started_again_meanwhile_campaigns_as_who_it_is_now() {
        ElectionFixture leader = ElectionFixture.leading();
        leader.election.stop();
        setRole(leader, AssignedRole.OBSERVER);
        leader.start(new Identity(new NodeInfo("anew", "anew:80"), "later"));
        answerRelease(leader);
        setRole(leader, AssignedRole.CANDIDATE);
        assertThat(leader.store.campaigns.remove().request().candidate().node().id())
                .isEqualTo("anew");
    }

    @Test
    void a_release_that_is_not_answered_does_not_hold_a_change_up_for_ever() {
        ElectionFixture leader = ElectionFixture.leading();
        CompletableFuture<Void> changed = setRole(leader, AssignedRole.OBSERVER);
        leader.pass(Duration.ofSeconds(5));
        assertThat(changed).isCompleted();
        assertThat(leader.election.role()).isEqualTo(Role.OBSERVER);
    }

    @Test
    void an_observer_that_is_asked_to_abdicate_has_nothing_to_give() {
        ElectionFixture observer = observing();
        CompletableFuture<?> left =
                observer.election.abdicate(Abdication.toAnyone()).toCompletableFuture();
        observer.loop.settle();
        assertThat(left).isCompleted();
        assertThat(observer.election.role()).isEqualTo(Role.OBSERVER);
    }

    private static ElectionFixture observing() {
        ElectionFixture fixture = new ElectionFixture();
        assertThat(setRole(fixture, AssignedRole.OBSERVER)).isCompleted();
        fixture.start(ElectionFixture.IDENTITY);
        return fixture;
    }

    private static CompletableFuture<Void> setRole(ElectionFixture fixture, AssignedRole role) {
        CompletableFuture<Void> changed = fixture.election.setRole(role).toCompletableFuture();
        fixture.loop.settle();
        return changed;
    }

    private static void hear(ElectionFixture fixture, StoreEvent event) {
        fixture.store.event(event);
        fixture.loop.settle();
    }

    private static void answerLook(ElectionFixture fixture, @Nullable Leader leader, Duration remaining) {
        fixture.store.looks.remove().answer(read(leader, remaining));
        fixture.loop.settle();
    }

    private static ReadReply read(@Nullable Leader leader, Duration remaining) {
        return new ReadReply.Read(new StoreView(Instant.EPOCH, Optional.ofNullable(leader), remaining, List.of()));
    }

    private static ReleaseRequest answerRelease(ElectionFixture fixture) {
        fixture.loop.settle();
        ScriptedStore.Asked<ReleaseRequest, ReleaseReply> release = fixture.store.releases.remove();
        release.answer(new ReleaseReply.Released());
        fixture.loop.settle();
        return release.request();
    }

    private static List<String> names(ElectionFixture fixture) {
        return fixture.events.stream()
                .map(event -> event.getClass().getSimpleName())
                .toList();
    }
}
