package dev.election.internal.requests;

import static dev.election.internal.election.ScriptedStore.broken;
import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.renewed;
import static dev.election.internal.protocol.QueueTimings.LAST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.internal.election.ScriptedStore;
import dev.election.internal.protocol.Attempt;
import dev.election.internal.protocol.Effect;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.Now;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.protocol.Self;
import dev.election.internal.protocol.State;
import dev.election.internal.protocol.Step;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.StoreEvent;
import dev.election.store.StoreRequest;
import dev.election.testing.EachEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the elections of a process ask at the same time. Lease 15 s, renewed every 5 s. */
class ConversationTest {

    private static final Duration RENEWAL = Duration.ofSeconds(5);

    private final Protocol protocol = new Protocol(
            new Self("a", new NodeInfo("me", "me:80"), "instance"),
            ProtocolTimings.of(Timing.ofLease(Duration.ofSeconds(15)), ScriptedStore.TRAITS, true));

    private final HandDrivenLoop loop = new HandDrivenLoop();
    private final ScriptedStore store = new ScriptedStore();
    private final ElectionEngine engine = ElectionEngine.over(store)
            .as(new NodeInfo("me", "me:80"))
            .timing(Timing.ofLease(Duration.ofSeconds(15)))
            .loop(loop, loop)
            .callbacks(Runnable::run)
            .build();

    @Test
    void all_elections_of_a_process_begin_together() {
        join("a", "b", "c");
        engine.start();
        loop.settle();
        assertThat(store.conversations).containsExactly(List.of("campaign of a", "campaign of b", "campaign of c"));
    }

    @Test
    void leases_that_were_granted_at_different_times_are_soon_renewed_at_the_same_time() {
        engine.start();
        for (String name : List.of("a", "b", "c", "d", "e")) {
            join(name);
            loop.settle();
            answerCampaigns(request -> granted(1));
            passRenewing(Duration.ofMillis(900));
        }
        passRenewing(RENEWAL.multipliedBy(2));
        store.conversations.clear();
        passRenewing(RENEWAL.multipliedBy(4));
        assertThat(store.conversations).hasSize(4).allSatisfy(conversation -> assertThat(conversation)
                .containsExactlyInAnyOrder(
                        "renewal of a", "renewal of b", "renewal of c", "renewal of d", "renewal of e"));
    }

    @Test
    void a_lease_that_was_renewed_less_than_half_an_interval_ago_is_not_renewed_in_company() {
        lead("a");
        passRenewing(RENEWAL.dividedBy(2).plusMillis(1));
        lead("b");
        store.conversations.clear();
        passRenewing(RENEWAL.dividedBy(2));
        assertThat(store.conversations).containsExactly(List.of("renewal of a"));
    }

    @Test
    void a_renewal_that_has_failed_is_not_tried_again_sooner_for_the_sake_of_company() {
        Step begun = protocol.step(Protocol.initial(), new Input.Start(), now());
        Attempt campaign = attempt(begun, Effect.Campaign.class, Effect.Campaign::attempt);
        Step leading = protocol.step(begun.state(), new Input.Campaigned(campaign, granted(1)), now());
        assertThat(protocol.joinAt(leading.state()).orElseThrow())
                .isEqualTo(loop.nanos() + RENEWAL.dividedBy(2).toNanos());
        loop.freeze(RENEWAL);
        Step renewing = protocol.step(leading.state(), new Input.Wake(), now());
        assertThat(protocol.joinAt(renewing.state())).as("while it is awaited").isEmpty();
        Attempt renewal = attempt(renewing, Effect.Renew.class, Effect.Renew::attempt);
        Step failed = protocol.step(renewing.state(), new Input.Renewed(renewal, broken(StoreProblem.LOADING)), now());
        assertThat(protocol.joinAt(failed.state())).isEqualTo(protocol.wakeAt(failed.state()));
    }

    private static <E extends Effect> Attempt attempt(Step step, Class<E> kind, Function<E, Attempt> attempt) {
        return step.effects().stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .map(attempt)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void while_a_reply_is_awaited_nothing_is_asked_in_company() {
        lead("a", "b");
        loop.pass(RENEWAL);
        store.renewals.removeIf(asked -> asked.request().candidate().election().equals("b"));
        store.renewals.remove().answer(renewed());
        loop.settle();
        store.conversations.clear();
        loop.pass(Duration.ofSeconds(2));
        assertThat(store.conversations).isEmpty();
    }

    @Test
    void followers_whose_time_has_come_campaign_together_and_no_other_does() {
        follow(request -> held("other", 1, Duration.ofSeconds(request.equals("later") ? 9 : 8)), "a", "b", "later");
        store.conversations.clear();
        loop.pass(Duration.ofSeconds(8).plusMillis(1));
        assertThat(store.conversations).containsExactly(List.of("campaign of a", "campaign of b"));
    }

    @Test
    void where_a_request_of_many_is_one_followers_ask_a_third_of_a_lease_early_for_the_sake_of_company() {
        store.sendsTogether = true;
        follow(request -> held("other", 1, millis(request)), "8000", "12900", "13100");
        store.conversations.clear();
        loop.pass(Duration.ofSeconds(8).plusMillis(1));
        assertThat(store.conversations).containsExactly(List.of("campaign of 8000", "campaign of 12900"));
    }

    @Test
    void whoever_stands_behind_others_does_not_ask_before_its_turn_when_a_lease_has_ended() {
        followAsFirstAndTenth(Duration.ofMillis(7900));
        loop.pass(Duration.ofSeconds(8).plusMillis(1));
        assertThat(store.conversations).containsExactly(List.of("campaign of first"));
    }

    @Test
    void a_lease_that_is_free_at_once_takes_no_others_along_that_may_be_free_as_well() {
        followAsFirstAndTenth(Duration.ofSeconds(8));
        loop.pass(Duration.ofSeconds(7));
        store.event("first", new StoreEvent.Released(new FencingToken(1), null, Duration.ZERO));
        loop.settle();
        assertThat(store.conversations).containsExactly(List.of("campaign of first"));
    }

    @Test
    void a_retry_takes_nobody_along_who_is_not_due() {
        store.sendsTogether = true;
        Function<String, CampaignReply> reply = election ->
                election.equals("refused") ? broken(StoreProblem.FORBIDDEN) : held("other", 1, Duration.ofSeconds(8));
        follow(reply, "refused", "followed");
        store.conversations.clear();
        for (int second = 0; second < 7; second++) {
            loop.pass(Duration.ofSeconds(1));
            answerCampaigns(request -> reply.apply(request.candidate().election()));
        }
        assertThat(store.conversations).hasSizeGreaterThan(3).allSatisfy(asked -> assertThat(asked)
                .containsExactly("campaign of refused"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_renewal_does_not_travel_with_a_campaign_nor_a_campaign_at_the_end_of_a_lease_with_a_renewal(
            boolean sendsTogether) {
        store.sendsTogether = sendsTogether;
        lead("led");
        follow(request -> held("other", 1, RENEWAL.minusMillis(1)), "followed");
        store.conversations.clear();
        loop.pass(RENEWAL);
        assertThat(store.conversations)
                .containsExactlyInAnyOrder(List.of("renewal of led"), List.of("campaign of followed"));
    }

    @Test
    void where_a_request_of_many_is_one_a_campaign_travels_with_a_renewal_while_the_other_lease_has_not_ended() {
        store.sendsTogether = true;
        follow(
                election -> election.equals("led") ? granted(1) : held("other", 1, millis(election)),
                "led",
                "9900",
                "10100");
        store.conversations.clear();
        loop.pass(RENEWAL);
        assertThat(store.conversations).containsExactly(List.of("renewal of led", "campaign of 9900"));
    }

    @Test
    void who_comes_last_asks_with_a_renewal_a_third_of_a_lease_before_its_place_in_the_queue_may_be_forgotten() {
        State behind = behind();
        assertThat(protocol.joinAt(behind)).hasValue(at(Duration.ofSeconds(5)));

        State last = placed(behind, LAST);
        long asksAgainBy = protocol.wakeAt(last).orElseThrow();
        assertThat(asksAgainBy).isBetween(at(Duration.ofSeconds(18)), at(Duration.ofMillis(22_500)));
        assertThat(protocol.joinAt(last)).hasValue(asksAgainBy - RENEWAL.toNanos());

        loop.freeze(Duration.ofNanos(asksAgainBy - loop.nanos()).minus(RENEWAL));
        assertThat(joining(last, true, true)).as("a renewal that was due").hasSize(1);
        assertThat(joining(last, true, false))
                .as("a campaign, perhaps for a lease that ended with this one")
                .isEmpty();
        assertThat(joining(last, false, true)).as("a retry").isEmpty();
        assertThat(joining(last, false, false)).as("news").isEmpty();
        assertThat(joining(behind, true, true))
                .as("who comes first, after the end")
                .isEmpty();
    }

    @Test
    void who_no_longer_comes_last_asks_before_it_takes_the_leader_for_gone() {
        State last = placed(behind(), LAST);
        loop.freeze(Duration.ofSeconds(16));
        State second = placed(last, 1);
        loop.freeze(Duration.ofNanos(Math.max(0, protocol.wakeAt(second).orElseThrow() - loop.nanos())));
        assertThat(protocol.step(second, new Input.Wake(), now()).effects())
                .singleElement()
                .isInstanceOf(Effect.Campaign.class);
    }

    /** Follows a leader whose lease ends in 10 s. */
    private State behind() {
        Step begun = protocol.step(Protocol.initial(), new Input.Start(), now());
        Attempt campaign = attempt(begun, Effect.Campaign.class, Effect.Campaign::attempt);
        return protocol.step(
                        begun.state(), new Input.Campaigned(campaign, held("other", 1, Duration.ofSeconds(10))), now())
                .state();
    }

    private State placed(State state, int place) {
        return protocol.step(state, new Input.Placed(OptionalInt.of(place)), now())
                .state();
    }

    private List<Effect> joining(State state, boolean isPlanned, boolean renews) {
        return protocol.step(state, new Input.JoinBatch(isPlanned, renews), now())
                .effects();
    }

    private Now now() {
        return new Now(loop.nanos(), loop.wall());
    }

    private long at(Duration later) {
        return loop.nanos() + later.toNanos();
    }

    private static Duration millis(String election) {
        return Duration.ofMillis(Long.parseLong(election));
    }

    @Test
    void what_a_store_tells_all_elections_they_answer_together() {
        lead("a", "b");
        store.conversations.clear();
        List.of("a", "b").forEach(election -> store.event(election, StoreEvent.Connected.anew(loop.nanos())));
        loop.settle();
        assertThat(store.conversations).containsExactly(List.of("renewal of a", "renewal of b"));
    }

    @Test
    void what_an_election_asks_next_does_not_overtake_what_it_asks_with_others() {
        lead("a", "b");
        store.conversations.clear();
        store.event("a", StoreEvent.Connected.anew(loop.nanos()));
        engine.stop();
        loop.settle();
        assertThat(store.conversations)
                .containsExactly(List.of("renewal of a"), List.of("release of a", "release of b"));
    }

    @Test
    void a_store_that_fails_to_send_has_answered_none_of_the_requests_and_is_asked_again() {
        AtomicBoolean works = new AtomicBoolean();
        ForwardingLeaseStore broken = new ForwardingLeaseStore(store) {
            @Override
            public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
                if (!works.get()) {
                    throw new IllegalStateException("as the test wants it");
                }
                return super.send(requests);
            }
        };
        assertAskedAgain(broken, works);
    }

    @Test
    void a_store_that_leaves_a_reply_out_has_answered_none_of_the_requests_and_is_asked_again() {
        AtomicBoolean works = new AtomicBoolean();
        ForwardingLeaseStore forgetful = new ForwardingLeaseStore(store) {
            @Override
            public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
                return works.get() ? super.send(requests) : List.of();
            }
        };
        assertAskedAgain(forgetful, works);
    }

    private void assertAskedAgain(ForwardingLeaseStore broken, AtomicBoolean works) {
        List<StoreProblem> problems = new ArrayList<>();
        ElectionEngine other = ElectionEngine.over(broken)
                .loop(loop, loop)
                .callbacks(Runnable::run)
                .build();
        other.addListener(new EachEvent(event -> {
            if (event instanceof LeadershipEvent.StoreFailed failed) {
                problems.add(failed.problem());
            }
        }));
        other.get("a");
        other.get("b");
        other.start();
        loop.settle();
        assertThat(store.campaigns).isEmpty();
        works.set(true);
        loop.pass(Duration.ofSeconds(1));
        assertThat(problems).containsExactly(StoreProblem.UNKNOWN, StoreProblem.UNKNOWN);
        assertThat(store.conversations).anyMatch(asked -> asked.contains("campaign of a"));
        assertThat(store.conversations).anyMatch(asked -> asked.contains("campaign of b"));
    }

    @Test
    void leases_are_released_together_at_the_stop() {
        lead("a", "b", "c");
        store.conversations.clear();
        engine.stop();
        loop.settle();
        assertThat(store.conversations).containsExactly(List.of("release of a", "release of b", "release of c"));
    }

    private void join(String... names) {
        List.of(names).forEach(engine::get);
    }

    private void lead(String... names) {
        follow(request -> granted(1), names);
    }

    private void follow(Function<String, CampaignReply> reply, String... names) {
        join(names);
        engine.start();
        loop.settle();
        answerCampaigns(request -> reply.apply(request.candidate().election()));
    }

    /** Stands first for one lease that ends in 8 s, and behind nine others for one that ends then. */
    private void followAsFirstAndTenth(Duration endOfTenth) {
        store.sendsTogether = true;
        follow(
                request -> request.equals("first")
                        ? held("other", 1, Duration.ofSeconds(8), 0)
                        : held("other", 1, endOfTenth, 9),
                "first",
                "tenth");
        store.conversations.clear();
    }

    private void answerCampaigns(Function<CampaignRequest, CampaignReply> reply) {
        while (!store.campaigns.isEmpty()) {
            var asked = store.campaigns.remove();
            asked.answer(reply.apply(asked.request()));
        }
        loop.settle();
    }

    private void passRenewing(Duration time) {
        for (long left = time.toMillis(); left > 0; left -= 10) {
            loop.pass(Duration.ofMillis(Math.min(10, left)));
            while (!store.renewals.isEmpty()) {
                store.renewals.remove().answer(renewed());
            }
            loop.settle();
        }
    }
}
