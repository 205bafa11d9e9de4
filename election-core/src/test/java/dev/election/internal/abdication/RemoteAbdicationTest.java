package dev.election.internal.abdication;

import static dev.election.internal.election.ScriptedStore.broken;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.leader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.StoreProblem;
import dev.election.StoreView;
import dev.election.internal.election.ElectionFixture;
import dev.election.internal.election.ScriptedStore;
import dev.election.store.EvictReply;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A follower passes a request to abdicate on to the leader, which is another node. The leader may take four seconds to react. */
class RemoteAbdicationTest {

    private static final Leader OLD = leader("other", 100);
    private static final Leader NEXT = leader("third", 200);
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final AbdicationRequest REQUEST =
            AbdicationRequest.of(Abdication.toAnyone()).waitingFor(PATIENCE);

    private final ElectionFixture fixture = ElectionFixture.started();
    private final ScriptedStore store = fixture.store;

    @BeforeEach
    void another_node_leads() {
        fixture.answerCampaign(held("other", 100, Duration.ofHours(1)));
        store.messages.clear();
    }

    @Test
    void the_leader_is_asked_by_its_token_and_the_report_names_its_successor() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(OLD));
        NodeMessage.AbdicationRequested message = message();
        assertThat(message.token()).isEqualTo(OLD.token());
        assertThat(message.how()).isEqualTo(REQUEST.how().requestedBy("me"));

        fixture.pass(Duration.ofMillis(10));
        hear(new NodeMessage.AbdicationHeard(message.request(), Duration.ofSeconds(30)));
        fixture.pass(Duration.ofMillis(200));
        hear(new StoreEvent.Released(OLD.token(), null, Duration.ZERO));
        hear(new StoreEvent.Acquired(NEXT, Duration.ofSeconds(15)));
        assertThat(report).isNotDone();
        answerLook(ledBy(NEXT, ended(OLD, LossReason.ABDICATED)));

        assertThat(report).isCompletedWithValueMatching(done -> done.outcome() == AbdicationOutcome.RELEASED);
        assertThat(report.join().before()).contains(OLD);
        assertThat(report.join().after()).contains(NEXT);
        assertThat(report.join().took()).isEqualTo(Duration.ofMillis(210));
        assertThat(report.join().detail()).contains("other has released").contains("third leads now");
        assertThat(store.looks).as("no more questions").isEmpty();
        fixture.pass(Duration.ofMinutes(1));
        assertThat(store.looks).as("no more questions, ever").isEmpty();
    }

    @Test
    void a_leader_that_leads_again_since_nobody_else_took_over_is_not_called_its_successor() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(OLD));
        fixture.pass(Duration.ofSeconds(1));
        Leader again = new Leader(OLD.node(), OLD.address(), NEXT.token(), NEXT.since());
        answerLook(ledBy(again, ended(OLD, LossReason.ABDICATED)));
        assertThat(report.join().detail())
                .isEqualTo("other has released its leadership; no other node took over, and it leads again");
    }

    @Test
    void of_a_requester_that_is_too_long_the_node_remains() {
        CompletableFuture<AbdicationReport> unused = ask(REQUEST.by("x".repeat(1000)));
        answerLook(ledBy(OLD));
        assertThat(message().how().requestedBy()).hasSize(256).startsWith("xxx").endsWith("x at me");
    }

    @Test
    void without_any_event_the_store_tells_and_is_asked_ever_more_rarely() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(OLD));
        fixture.pass(Duration.ofMillis(999));
        assertThat(store.looks).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        answerLook(ledBy(OLD));
        assertThat(store.messages)
                .as("the message may be lost, so it is repeated")
                .hasSize(2);
        fixture.pass(Duration.ofMillis(1_999));
        assertThat(store.looks).isEmpty();
        fixture.pass(Duration.ofMillis(1));
        answerLook(ledBy(NEXT, ended(OLD, LossReason.ABDICATED)));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.RELEASED);
        assertThat(report.join().after()).contains(NEXT);
    }

    @Test
    void a_leader_that_does_not_react_is_left_alone() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLooksUntil(report, ledBy(OLD));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.NO_REACTION);
        assertThat(report.join().took()).isEqualTo(PATIENCE);
        assertThat(report.join().after()).contains(OLD);
        assertThat(store.evictions).isEmpty();
    }

    @Test
    void a_leader_that_does_not_react_is_evicted_by_force() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST.withForce());
        answerLook(ledBy(OLD));
        while (store.evictions.isEmpty()) {
            fixture.pass(Duration.ofMillis(100));
            answerLooks(ledBy(OLD));
        }
        assertThat(store.evictions.peek().request().token()).isEqualTo(OLD.token());
        hear(new StoreEvent.Released(OLD.token(), null, Duration.ZERO));
        store.evictions.remove().answer(new EvictReply.Evicted());
        fixture.loop.settle();
        hear(new StoreEvent.Acquired(NEXT, Duration.ofSeconds(15)));
        answerLook(ledBy(NEXT));
        assertThat(report.join().outcome()).as("without any history").isEqualTo(AbdicationOutcome.EVICTED);
        assertThat(report.join().detail())
                .contains("only its fencing token 100")
                .contains("third leads now");
    }

    @Test
    void who_evicts_a_leader_tries_to_lead_at_once_even_if_it_hears_nothing() {
        AbdicationRequest request = AbdicationRequest.of(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(9)))
                .waitingFor(PATIENCE)
                .withForce();
        CompletableFuture<AbdicationReport> report = ask(request);
        answerLook(ledBy(OLD));
        while (store.evictions.isEmpty()) {
            fixture.pass(Duration.ofMillis(100));
            answerLooks(ledBy(OLD));
        }
        assertThat(store.evictions.peek().request().how())
                .isEqualTo(request.how().requestedBy("me"));
        assertThat(store.evictions.peek().request().cooldown()).isEqualTo(Duration.ofSeconds(9));
        assertThat(store.campaigns).isEmpty();
        store.evictions.remove().answer(new EvictReply.Evicted());
        fixture.loop.settle();
        assertThat(store.campaigns).hasSize(1);
        fixture.answerCampaign(ScriptedStore.granted(200));
        answerLook(ledBy(leader("me", 200)));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.EVICTED);
    }

    @Test
    void a_leader_that_has_reacted_is_given_the_time_for_its_work_and_not_evicted_before() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST.withForce());
        answerLook(ledBy(OLD));
        hear(new NodeMessage.AbdicationHeard(message().request(), Duration.ofSeconds(30)));
        for (int second = 0; second < 33; second++) {
            fixture.pass(Duration.ofSeconds(1));
            answerLooks(ledBy(OLD));
        }
        assertThat(store.evictions).isEmpty();
        assertThat(store.messages).as("messages to one that has reacted").hasSize(1);
        fixture.pass(Duration.ofSeconds(1));
        answerLooks(ledBy(OLD));
        assertThat(store.evictions).as("it hangs").hasSize(1);
        assertThat(report).isNotDone();
    }

    @Test
    void a_leader_whose_work_does_not_end_is_told_apart_from_one_that_does_not_react() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(OLD));
        hear(new NodeMessage.AbdicationHeard(message().request(), Duration.ofSeconds(1)));
        answerLooksUntil(report, ledBy(OLD));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.STILL_DRAINING);
    }

    @Test
    void what_others_have_asked_for_is_not_taken_for_an_answer() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(OLD));
        hear(new NodeMessage.AbdicationHeard("another", Duration.ofHours(1)));
        hear(new StoreEvent.Released(new FencingToken(99), null, Duration.ZERO));
        answerLooksUntil(report, ledBy(OLD));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.NO_REACTION);
    }

    @Test
    void a_leader_who_came_after_the_request_is_not_sent_away_by_it() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(NEXT, ended(OLD, LossReason.ABDICATED)));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.RELEASED);
        assertThat(report.join().before()).contains(OLD);
        assertThat(report.join().after()).contains(NEXT);
        assertThat(store.messages).isEmpty();
    }

    @Test
    void a_leader_whom_this_node_should_have_known_is_asked() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        Leader elder = new Leader("third", "third:80", new FencingToken(200), Instant.EPOCH.minusSeconds(10));
        answerLook(ledBy(elder, ended(OLD, LossReason.EXPIRED)));
        assertThat(message().token()).isEqualTo(elder.token());
        assertThat(report).isNotDone();
    }

    @Test
    void a_request_between_two_leaders_waits_for_the_second() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        hear(new StoreEvent.Released(OLD.token(), null, Duration.ZERO));
        answerLook(ledBy(null));
        assertThat(report).isNotDone();
        hear(new StoreEvent.Acquired(NEXT, Duration.ofSeconds(15)));
        answerLook(ledBy(NEXT));
        assertThat(report.join().outcome()).as("without any history").isEqualTo(AbdicationOutcome.RELEASED);
        assertThat(report.join().before()).contains(OLD);
        assertThat(report.join().after()).contains(NEXT);
        assertThat(store.messages).isEmpty();
    }

    @Test
    void a_leader_whom_this_node_has_not_heard_of_is_asked() {
        hear(new StoreEvent.Released(OLD.token(), null, Duration.ZERO));
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(NEXT));
        assertThat(message().token()).isEqualTo(NEXT.token());
        assertThat(report).isNotDone();
    }

    @Test
    void where_nobody_leads_there_is_nothing_to_give_up() {
        hear(new StoreEvent.Released(OLD.token(), null, Duration.ZERO));
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(null));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.NOT_LEADER);
        assertThat(store.messages).isEmpty();
    }

    @Test
    void a_successor_that_leads_already_is_left_alone() {
        CompletableFuture<AbdicationReport> report = ask(AbdicationRequest.of(Abdication.to("other")));
        answerLook(ledBy(OLD));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.ALREADY_LEADS);
        assertThat(store.messages).isEmpty();
    }

    @Test
    void a_successor_that_does_not_come_is_named() {
        CompletableFuture<AbdicationReport> report = ask(AbdicationRequest.of(Abdication.to("gone")));
        answerLook(ledBy(OLD));
        hear(new StoreEvent.Released(OLD.token(), "gone", Duration.ofSeconds(3)));
        fixture.pass(Duration.ofSeconds(1));
        answerLooks(ledBy(null, ended(OLD, LossReason.ABDICATED)));
        hear(new StoreEvent.Acquired(NEXT, Duration.ofSeconds(15)));
        answerLook(ledBy(NEXT, ended(OLD, LossReason.ABDICATED)));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.RELEASED);
        assertThat(report.join().detail()).contains("third leads now").contains("gone did not take over within 3 s");
    }

    @Test
    void that_nobody_has_taken_over_is_said_in_the_end() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(OLD));
        hear(new StoreEvent.Released(OLD.token(), null, Duration.ZERO));
        answerLooksUntil(report, ledBy(null, ended(OLD, LossReason.ABDICATED)));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.RELEASED);
        assertThat(report.join().after()).isEmpty();
        assertThat(report.join().detail()).contains("no node has taken over yet");
    }

    @Test
    void a_leader_that_dies_meanwhile_has_ended_without_a_release() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(OLD));
        hear(new StoreEvent.Acquired(NEXT, Duration.ofSeconds(15)));
        answerLook(ledBy(NEXT, ended(OLD, LossReason.EXPIRED)));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.ENDED_UNCONFIRMED);
    }

    @Test
    void a_store_that_is_away_is_said_at_once() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(broken(StoreProblem.UNREACHABLE));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.STORE_UNAVAILABLE);
        assertThat(report.join().detail()).contains(StoreProblem.UNREACHABLE.action());
    }

    @Test
    void a_request_that_the_store_did_not_answer_is_reported_with_the_action_of_that_store() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(new NoAnswer(StoreProblem.FORBIDDEN, "no", "grant SELECT"));
        assertThat(report.join().detail()).endsWith("grant SELECT (no)");
    }

    @Test
    void a_store_that_never_answers_does_not_keep_anybody_waiting_for_ever() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        fixture.pass(PATIENCE);
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.STORE_UNAVAILABLE);
    }

    @Test
    void a_store_that_goes_away_for_a_moment_is_waited_for() {
        CompletableFuture<AbdicationReport> report = ask(REQUEST);
        answerLook(ledBy(OLD));
        fixture.pass(Duration.ofSeconds(1));
        answerLook(broken(StoreProblem.TIMED_OUT));
        fixture.pass(Duration.ofSeconds(2));
        answerLook(ledBy(NEXT, ended(OLD, LossReason.ABDICATED)));
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.RELEASED);
    }

    @Test
    void a_node_that_is_asked_and_leads_itself_needs_no_message() {
        ElectionFixture self = ElectionFixture.leading();
        CompletableFuture<AbdicationReport> report =
                self.election.requestAbdication(REQUEST).toCompletableFuture();
        self.loop.settle();
        self.store.looks.remove().answer(ledBy(leader("me", 100)));
        self.loop.settle();
        assertThat(self.store.releases).hasSize(1);
        assertThat(self.election.isLeader()).isFalse();
        assertThat(report).isNotDone();
    }

    @Test
    void a_node_that_is_asked_and_leads_itself_is_given_the_time_for_its_work_even_if_no_message_gets_through() {
        ElectionFixture self = ElectionFixture.leading();
        LeaderWork work = self.election.beginWork().orElseThrow();
        CompletableFuture<AbdicationReport> report =
                self.election.requestAbdication(REQUEST.withForce()).toCompletableFuture();
        self.loop.settle();
        for (Duration waited = Duration.ZERO; waited.compareTo(PATIENCE.multipliedBy(2)) < 0; ) {
            while (!self.store.looks.isEmpty()) {
                self.store.looks.remove().answer(ledBy(leader("me", 100)));
                self.loop.settle();
            }
            self.pass(Duration.ofSeconds(1));
            waited = waited.plusSeconds(1);
        }
        assertThat(self.store.evictions).isEmpty();
        assertThat(report).isNotDone();
        work.close();
        self.loop.settle();
        assertThat(self.store.releases).hasSize(1);
    }

    @Test
    void a_forced_request_over_a_store_that_can_not_evict_is_refused_before_anything_is_sent() {
        ElectionFixture follower = followingOver(ScriptedStore.withoutEviction());
        AbdicationReport refused = ask(follower, REQUEST.withForce()).join();
        assertThat(refused.outcome()).isEqualTo(AbdicationOutcome.UNSUPPORTED);
        assertThat(refused.detail()).contains("can't evict").contains("without force");
        assertThat(refused.before()).contains(OLD);
        assertThat(refused.after()).contains(OLD);
        assertThat(follower.store.looks).isEmpty();
        assertThat(follower.store.messages).isEmpty();
    }

    @Test
    void a_forced_request_to_the_node_that_leads_is_refused_too_where_the_store_can_not_evict() {
        ElectionFixture self = ElectionFixture.leadingOver(ScriptedStore.withoutEviction());
        assertThat(ask(self, REQUEST.withForce()).join().outcome()).isEqualTo(AbdicationOutcome.UNSUPPORTED);
        assertThat(self.election.isLeader()).isTrue();
        assertThat(self.store.looks).isEmpty();
    }

    @Test
    void a_store_that_can_not_evict_passes_on_a_request_without_force() {
        ElectionFixture follower = followingOver(ScriptedStore.withoutEviction());
        CompletableFuture<AbdicationReport> report = ask(follower, REQUEST);
        follower.store.looks.remove().answer(ledBy(OLD));
        follower.loop.settle();
        assertThat(follower.store.messages).hasSize(1);
        assertThat(report).isNotDone();
    }

    @Test
    void without_messages_a_leader_on_another_node_is_neither_asked_nor_evicted() {
        for (AbdicationRequest request : List.of(REQUEST, REQUEST.withForce())) {
            ElectionFixture follower = followingOver(ScriptedStore.withoutMessaging());
            CompletableFuture<AbdicationReport> report = ask(follower, request);
            follower.store.looks.remove().answer(ledBy(OLD));
            follower.loop.settle();
            assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.UNSUPPORTED);
            assertThat(report.join().detail()).contains("no messages").contains("other, which leads");
            assertThat(report.join().after()).contains(OLD);
            follower.pass(PATIENCE.multipliedBy(2));
            assertThat(follower.store.evictions).isEmpty();
        }
    }

    @Test
    void without_messages_a_request_that_needs_no_leader_elsewhere_is_answered() {
        ElectionFixture follower = followingOver(ScriptedStore.withoutMessaging());
        CompletableFuture<AbdicationReport> report = ask(follower, AbdicationRequest.of(Abdication.to("other")));
        follower.store.looks.remove().answer(ledBy(OLD));
        follower.loop.settle();
        assertThat(report.join().outcome()).isEqualTo(AbdicationOutcome.ALREADY_LEADS);
    }

    @Test
    void without_messages_the_node_that_leads_gives_up_when_it_is_asked_itself() {
        ElectionFixture self = ElectionFixture.leadingOver(ScriptedStore.withoutMessaging());
        LeaderWork work = self.election.beginWork().orElseThrow();
        CompletableFuture<AbdicationReport> report = ask(self, REQUEST);
        CompletableFuture<AbdicationReport> second = ask(self, REQUEST);
        while (!self.store.looks.isEmpty()) {
            self.store.looks.remove().answer(ledBy(leader("me", 100)));
            self.loop.settle();
        }
        assertThat(self.store.releases).as("its work still runs").isEmpty();
        work.close();
        self.loop.settle();
        assertThat(self.store.releases).hasSize(1);
        CompletableFuture<AbdicationReport> third = ask(self, REQUEST);
        self.store.looks.remove().answer(ledBy(leader("me", 100)));
        self.loop.settle();
        assertThat(List.of(report, second, third))
                .as("the release is under way")
                .noneMatch(CompletableFuture::isDone);
    }

    private static ElectionFixture followingOver(ScriptedStore store) {
        ElectionFixture follower = ElectionFixture.startedOver(store);
        follower.answerCampaign(held("other", 100, Duration.ofHours(1)));
        return follower;
    }

    private CompletableFuture<AbdicationReport> ask(AbdicationRequest request) {
        return ask(fixture, request);
    }

    private static CompletableFuture<AbdicationReport> ask(ElectionFixture fixture, AbdicationRequest request) {
        CompletableFuture<AbdicationReport> report =
                fixture.election.requestAbdication(request).toCompletableFuture();
        fixture.loop.settle();
        return report;
    }

    private NodeMessage.AbdicationRequested message() {
        return (NodeMessage.AbdicationRequested) store.messages.getFirst();
    }

    private void hear(NodeMessage message) {
        hear(new StoreEvent.Received(message));
    }

    private void hear(StoreEvent event) {
        store.event(event);
        fixture.loop.settle();
    }

    private void answerLook(ReadReply reply) {
        store.looks.remove().answer(reply);
        fixture.loop.settle();
    }

    private void answerLooks(ReadReply reply) {
        while (!store.looks.isEmpty()) {
            answerLook(reply);
        }
    }

    private void answerLooksUntil(CompletableFuture<?> done, ReadReply reply) {
        for (int tenth = 0; tenth < 600 && !done.isDone(); tenth++) {
            answerLooks(reply);
            if (!done.isDone()) {
                fixture.pass(Duration.ofMillis(100));
            }
        }
        assertThat(done).isDone();
    }

    private static LeadershipRecord ended(Leader leader, LossReason reason) {
        return new LeadershipRecord(leader, leader.since().plusSeconds(1), reason);
    }

    private static ReadReply ledBy(@Nullable Leader leader, LeadershipRecord... before) {
        Duration remaining = leader == null ? Duration.ZERO : Duration.ofSeconds(10);
        return new ReadReply.Read(
                new StoreView(Instant.EPOCH, Optional.ofNullable(leader), remaining, List.of(before)));
    }
}
