package dev.election.internal.messages;

import static dev.election.internal.election.ScriptedStore.broken;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.internal.election.HandDrivenLoop;
import dev.election.internal.election.ScriptedStore;
import dev.election.internal.election.ScriptedStore.Posted;
import dev.election.internal.messages.WireMessage.Kind;
import dev.election.members.AskReply;
import dev.election.members.AskReply.Answered;
import dev.election.members.AskReply.Reason;
import dev.election.members.AskReply.Unanswered;
import dev.election.members.LeaveReason;
import dev.election.members.MemberSettings;
import dev.election.members.MessageCount;
import dev.election.members.NodeMessages;
import dev.election.members.ReceivedMessage;
import dev.election.members.Recipient;
import dev.election.members.SendOutcome;
import dev.election.store.AnnounceReply;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.LeaveReply;
import dev.election.store.MemberEntry;
import dev.election.store.MemberMessage;
import dev.election.store.MemberNews;
import dev.election.store.RosterVersion;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The messages of a process over a store whose replies the test gives. Only handlers have threads. */
class MessagesTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HandDrivenLoop loop = new HandDrivenLoop();
    private final ScriptedStore store = new ScriptedStore();
    private final Deque<Runnable> callbacks = new ArrayDeque<>();
    private final ElectionEngine engine = ElectionEngine.over(store)
            .as(new NodeInfo("me", "me:80"))
            .timing(Timing.ofLease(LEASE))
            .members(MemberSettings.none())
            .loop(loop, loop)
            .callbacks(callbacks::add)
            .build();
    private final NodeMessages messages = engine.messages().orElseThrow();
    private final BlockingQueue<ReceivedMessage> handled = new LinkedBlockingQueue<>();

    @Test
    void a_process_that_only_sends_does_not_listen() {
        begin();
        CompletionStage<SendOutcome> sent = messages.send(Recipient.member("other"), "t", "{}");
        loop.settle();
        var posted = store.posted.remove();
        assertThat(posted.request().to()).isEqualTo("other-instance");
        assertThat(read(posted.request())).isEqualTo(new WireMessage(Kind.MESSAGE, own(), "t", "", "{}"));
        posted.answer(new AnnounceReply.Announced());
        assertThat(result(sent)).isEqualTo(SendOutcome.PUBLISHED);
        assertThat(store.hearsMessagesOfMembers()).isFalse();
        assertThat(messages.count(MessageCount.PUBLISHED)).isEqualTo(1);
    }

    @Test
    void a_message_goes_to_an_instance_to_a_leader_or_to_all() {
        begin();
        send(Recipient.member("other-instance"));
        send(Recipient.leaderOf("e"));
        send(Recipient.all());
        loop.settle();
        assertThat(store.posted)
                .extracting(asked -> asked.request().to())
                .containsExactly("other-instance", "other-instance", "all");
    }

    @Test
    void of_two_members_with_one_id_the_one_that_joined_last_gets_it() {
        begin(new MemberEntry.Present("restarted", 9, 9, "id=other\n"));
        send(Recipient.member("other"));
        loop.settle();
        assertThat(store.posted.remove().request().to()).isEqualTo("restarted");
    }

    @Test
    void a_message_to_nobody_is_not_sent() {
        begin();
        assertThat(result(send(Recipient.member("nobody")))).isEqualTo(SendOutcome.NO_SUCH_MEMBER);
        assertThat(result(send(Recipient.leaderOf("unled")))).isEqualTo(SendOutcome.NO_SUCH_MEMBER);
        assertThat(store.posted).isEmpty();
    }

    @Test
    void a_message_waits_until_the_members_are_known() {
        engine.start();
        CompletionStage<SendOutcome> first = messages.send(Recipient.member("other"), "t", "1");
        CompletionStage<SendOutcome> second = messages.send(Recipient.member("nobody"), "t", "2");
        loop.pass(LEASE.minusMillis(1));
        assertThat(store.posted).isEmpty();
        answerBeat();
        assertThat(store.posted).extracting(asked -> asked.request().to()).containsExactly("other-instance");
        assertThat(result(second)).isEqualTo(SendOutcome.NO_SUCH_MEMBER);
        assertThat(first.toCompletableFuture()).isNotDone();
        loop.pass(LEASE);
        assertThat(first.toCompletableFuture()).isNotDone();
    }

    @Test
    void a_message_from_before_the_start_names_the_instance_of_that_start() {
        send(Recipient.all());
        begin();
        assertThat(read(store.posted.remove().request()).from()).isEqualTo(own());
    }

    @Test
    void messages_that_wait_until_they_can_be_sent_are_bounded_by_their_size_alone() {
        engine.start();
        for (int i = 0; i < 2_000; i++) {
            send(Recipient.all());
        }
        loop.settle();
        answerBeat();
        assertThat(store.posted).hasSize(2_000);
    }

    @Test
    void a_message_that_can_not_be_sent_for_a_lease_is_given_up() {
        engine.start();
        CompletionStage<SendOutcome> sent = send(Recipient.all());
        loop.pass(LEASE);
        assertThat(result(sent)).isEqualTo(SendOutcome.STORE_UNAVAILABLE);
        answerBeat();
        assertThat(store.posted).isEmpty();
    }

    @Test
    void a_message_that_the_store_does_not_take_is_told_and_counted() {
        begin();
        CompletionStage<SendOutcome> sent = send(Recipient.all());
        loop.settle();
        store.posted.remove().answer(broken(StoreProblem.UNREACHABLE));
        assertThat(result(sent)).isEqualTo(SendOutcome.STORE_UNAVAILABLE);
        assertThat(messages.count(MessageCount.NOT_PUBLISHED)).isEqualTo(1);
    }

    @Test
    void callers_are_told_on_a_thread_of_listeners() {
        begin();
        CompletionStage<SendOutcome> sent = send(Recipient.member("nobody"));
        callbacks.clear();
        loop.settle();
        assertThat(sent.toCompletableFuture()).isNotDone();
        assertThat(callbacks).hasSize(1);
        callbacks.remove().run();
        assertThat(sent.toCompletableFuture()).isCompletedWithValue(SendOutcome.NO_SUCH_MEMBER);
    }

    @Test
    void a_message_that_is_too_large_or_of_no_type_is_refused() {
        begin();
        int head = new WireMessage(Kind.MESSAGE, own(), "t", "", "").bytes();
        assertThat(messages.send(Recipient.all(), "t", "x".repeat(NodeMessages.MOST_BYTES - head)))
                .isNotNull();
        assertThatThrownBy(() -> messages.send(Recipient.all(), "t", "x".repeat(NodeMessages.MOST_BYTES - head + 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("has 16385 bytes");
        assertThatThrownBy(() -> messages.ask(
                        Recipient.member("other"), "t", "\u20ac".repeat(NodeMessages.MOST_BYTES / 3), TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class);
        for (String type : List.of("", "a b", "a\nb", "t".repeat(65))) {
            assertThatThrownBy(() -> messages.send(Recipient.all(), type, ""))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> messages.handle(type, message -> null))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofSeconds(-1), Duration.ofDays(2))) {
            assertThatThrownBy(() -> messages.ask(Recipient.member("other"), "t", "", timeout))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void a_question_is_sent_once_replies_can_be_heard() {
        begin();
        CompletionStage<AskReply> asked = ask();
        loop.settle();
        assertThat(store.hearsMessagesOfMembers()).isTrue();
        assertThat(store.posted).isEmpty();
        connect();
        WireMessage question = read(store.posted.remove().request());
        assertThat(question.kind()).isEqualTo(Kind.QUESTION);
        reply(question, "other-instance", Kind.REPLY, "[1]");
        assertThat(result(asked)).isEqualTo(new Answered("[1]"));
    }

    @Test
    void a_reply_of_another_member_a_late_and_a_second_one_are_dropped() {
        begin();
        CompletionStage<AskReply> asked = ask();
        connect();
        WireMessage question = read(store.posted.remove().request());
        reply(question, "third", Kind.REPLY, "forged");
        assertThat(messages.count(MessageCount.UNEXPECTED_REPLY)).isEqualTo(1);
        reply(question, "other-instance", Kind.REPLY, "true");
        reply(question, "other-instance", Kind.REPLY, "again");
        assertThat(messages.count(MessageCount.UNEXPECTED_REPLY)).isEqualTo(2);
        assertThat(result(asked)).isEqualTo(new Answered("true"));
        CompletionStage<AskReply> next = ask();
        loop.settle();
        WireMessage late = read(store.posted.remove().request());
        loop.pass(TIMEOUT);
        reply(late, "other-instance", Kind.REPLY, "late");
        assertThat(messages.count(MessageCount.UNEXPECTED_REPLY)).isEqualTo(3);
        assertThat(reason(next)).isEqualTo(Reason.NO_REPLY);
    }

    @Test
    void a_question_without_a_reply_ends_when_its_time_is_over() {
        begin();
        CompletionStage<AskReply> asked = ask();
        connect();
        loop.pass(TIMEOUT.minusMillis(1));
        assertThat(callbacks).isEmpty();
        loop.pass(Duration.ofMillis(1));
        assertThat(reason(asked)).isEqualTo(Reason.NO_REPLY);
        assertThat(detail(asked)).contains("5 s");
    }

    @Test
    void a_question_tells_why_it_has_no_reply() {
        begin();
        CompletionStage<AskReply> failing = ask();
        connect();
        reply(read(store.posted.remove().request()), "other-instance", Kind.FAILURE, "java.io.IOException");
        assertThat(reason(failing)).isEqualTo(Reason.HANDLER_FAILED);
        assertThat(detail(failing)).contains("other").contains("java.io.IOException");
        CompletionStage<AskReply> unknown = ask();
        loop.settle();
        reply(read(store.posted.remove().request()), "other-instance", Kind.UNKNOWN_TYPE, "");
        assertThat(reason(unknown)).isEqualTo(Reason.UNKNOWN_TYPE);
        CompletionStage<AskReply> nobody = messages.ask(Recipient.leaderOf("unled"), "t", "", TIMEOUT);
        assertThat(reason(nobody)).isEqualTo(Reason.NO_SUCH_MEMBER);
        assertThat(detail(nobody)).contains("'unled'");
        CompletionStage<AskReply> unsent = ask();
        loop.settle();
        store.posted.remove().answer(broken(StoreProblem.UNREACHABLE));
        assertThat(reason(unsent)).isEqualTo(Reason.STORE_UNAVAILABLE);
    }

    @Test
    void a_question_whose_reply_could_never_be_heard_is_not_sent() {
        begin();
        CompletionStage<AskReply> asked = ask();
        loop.pass(TIMEOUT);
        assertThat(reason(asked)).isEqualTo(Reason.STORE_UNAVAILABLE);
        connect();
        assertThat(store.posted).isEmpty();
    }

    @Test
    void what_waits_ends_when_the_process_stops() {
        begin();
        CompletionStage<AskReply> unsent = ask();
        loop.settle();
        CompletionStage<Void> stopped = engine.stop();
        loop.settle();
        store.leavings.remove().answer(new LeaveReply.Left());
        assertThat(reason(unsent)).isEqualTo(Reason.STORE_UNAVAILABLE);
        assertThat(store.hearsMessagesOfMembers()).isFalse();
        assertThat(stopped.toCompletableFuture()).isCompleted();
        begin();
        CompletionStage<AskReply> sent = ask();
        assertThat(store.hearsMessagesOfMembers()).as("as another instance").isTrue();
        connect();
        assertThat(store.posted).hasSize(1);
        engine.stop();
        loop.settle();
        assertThat(reason(sent)).isEqualTo(Reason.STORE_UNAVAILABLE);
    }

    @Test
    void the_first_handler_listens_and_is_called_with_who_has_sent() throws InterruptedException {
        begin();
        assertThat(store.hearsMessagesOfMembers()).isFalse();
        NodeMessages.Registration registration = handle("t");
        loop.settle();
        assertThat(store.hearsMessagesOfMembers()).isTrue();
        hear(new WireMessage(Kind.MESSAGE, "other-instance", "t", "", "{\"a\":\n1}"));
        ReceivedMessage message = next();
        assertThat(message.from().id()).isEqualTo("other");
        assertThat(message.type()).isEqualTo("t");
        assertThat(message.body()).isEqualTo("{\"a\":\n1}");
        assertThatThrownBy(() -> handle("t")).isInstanceOf(IllegalStateException.class);
        registration.close();
        hear(new WireMessage(Kind.MESSAGE, "other-instance", "t", "", ""));
        assertThat(messages.count(MessageCount.UNKNOWN_TYPE)).isEqualTo(1);
        handle("t").close();
        assertThat(store.posted).as("replies").isEmpty();
    }

    @Test
    void a_handler_from_before_the_start_listens_from_the_start_on() {
        handle("t");
        loop.settle();
        assertThat(store.hearsMessagesOfMembers()).isFalse();
        engine.start();
        loop.settle();
        assertThat(store.hearsMessagesOfMembers()).isTrue();
    }

    @Test
    void a_message_of_a_member_that_is_not_known_yet_is_handled_when_it_is() throws InterruptedException {
        begin();
        handle("t");
        loop.settle();
        hear(new WireMessage(Kind.MESSAGE, "new-instance", "t", "", "1"));
        assertThat(handled).isEmpty();
        store.news(new MemberNews.Changed("roster", new MemberEntry.Present("new-instance", 9, 9, "id=new\n")));
        loop.settle();
        assertThat(next().from().id()).isEqualTo("new");
    }

    @Test
    void a_message_of_no_member_is_dropped_after_a_tenth_of_a_lease() {
        begin();
        handle("t");
        loop.settle();
        hear(new WireMessage(Kind.MESSAGE, "forged", "t", "", "1"));
        hear(new WireMessage(Kind.QUESTION, "forged", "t", "1", "1"));
        loop.pass(LEASE.dividedBy(10).minusMillis(1));
        assertThat(messages.count(MessageCount.UNKNOWN_SENDER)).isZero();
        loop.pass(Duration.ofMillis(1));
        assertThat(messages.count(MessageCount.UNKNOWN_SENDER)).isEqualTo(2);
        assertThat(store.posted).as("replies to a forged sender").isEmpty();
    }

    @Test
    void a_message_of_a_member_that_has_left_is_dropped() {
        begin();
        handle("t");
        loop.settle();
        store.news(new MemberNews.Changed("roster", new MemberEntry.Gone("other-instance", 9, LeaveReason.STOPPED)));
        loop.settle();
        hear(new WireMessage(Kind.MESSAGE, "other-instance", "t", "", "1"));
        loop.pass(LEASE.dividedBy(10));
        assertThat(messages.count(MessageCount.UNKNOWN_SENDER)).isEqualTo(1);
    }

    @Test
    void the_reply_of_a_handler_goes_to_who_has_asked() throws InterruptedException {
        begin();
        messages.handle("t", message -> message.body().isEmpty() ? null : message.body() + "!");
        loop.settle();
        hear(new WireMessage(Kind.QUESTION, "other-instance", "t", "q1", "hello"));
        Posted reply = nextPosted();
        assertThat(reply.to()).isEqualTo("other-instance");
        assertThat(read(reply)).isEqualTo(new WireMessage(Kind.REPLY, own(), "t", "q1", "hello!"));
        hear(new WireMessage(Kind.QUESTION, "other-instance", "t", "q2", ""));
        assertThat(read(nextPosted())).isEqualTo(new WireMessage(Kind.REPLY, own(), "t", "q2", ""));
    }

    @Test
    void who_has_asked_is_told_that_a_handler_failed_or_that_there_is_none() throws InterruptedException {
        begin();
        messages.handle("fails", message -> {
            throw new IllegalStateException("secret");
        });
        messages.handle("large", message -> "x".repeat(NodeMessages.MOST_BYTES));
        loop.settle();
        hear(new WireMessage(Kind.QUESTION, "other-instance", "fails", "q1", ""));
        assertThat(read(nextPosted()))
                .isEqualTo(new WireMessage(Kind.FAILURE, own(), "fails", "q1", IllegalStateException.class.getName()));
        hear(new WireMessage(Kind.QUESTION, "other-instance", "large", "q2", ""));
        WireMessage tooLarge = read(nextPosted());
        assertThat(tooLarge.kind()).isEqualTo(Kind.FAILURE);
        assertThat(tooLarge.body()).contains("may have 16384");
        hear(new WireMessage(Kind.QUESTION, "other-instance", "none", "q3", ""));
        assertThat(read(nextPosted())).isEqualTo(new WireMessage(Kind.UNKNOWN_TYPE, own(), "none", "q3", ""));
        assertThat(messages.count(MessageCount.UNKNOWN_TYPE)).isEqualTo(1);
        assertThat(messages.count(MessageCount.FAILED)).isEqualTo(1);
    }

    @Test
    void the_number_of_replies_under_way_is_bounded() {
        begin();
        handle("t");
        loop.settle();
        for (int i = 0; i < 1_010; i++) {
            hear(new WireMessage(Kind.QUESTION, "other-instance", "none", "q" + i, ""));
        }
        assertThat(store.posted).hasSize(1_000);
        assertThat(messages.count(MessageCount.NOT_PUBLISHED)).isEqualTo(10);
        store.posted.forEach(asked -> asked.answer(new AnnounceReply.Announced()));
        hear(new WireMessage(Kind.QUESTION, "other-instance", "none", "last", ""));
        assertThat(store.posted).hasSize(1_001);
    }

    @Test
    void messages_and_questions_without_a_result_are_bounded_by_their_size() {
        begin();
        handle("t");
        connect();
        String large = "x".repeat(NodeMessages.MOST_BYTES - 1_024);
        for (int i = 0; i < 1_000; i++) {
            messages.send(Recipient.member("other"), "t", large);
        }
        loop.settle();
        assertThat(store.posted).as("8 MB").hasSize(512);
        assertThat(reason(ask())).isEqualTo(Reason.STORE_UNAVAILABLE);
        assertThat(messages.count(MessageCount.NOT_PUBLISHED)).isEqualTo(489);
        store.posted.remove().answer(new AnnounceReply.Announced());
        ask();
        assertThat(result(send(Recipient.member("nobody")))).isEqualTo(SendOutcome.NO_SUCH_MEMBER);
    }

    @Test
    void over_a_store_without_the_capability_there_are_no_messages() {
        assertThat(ElectionEngine.over(ScriptedStore.withoutMessaging())
                        .members(MemberSettings.none())
                        .build()
                        .messages())
                .isEmpty();
        assertThat(ElectionEngine.over(store).build().messages()).isEmpty();
    }

    private NodeMessages.Registration handle(String type) {
        return messages.handle(type, message -> {
            handled.add(message);
            return null;
        });
    }

    private ReceivedMessage next() throws InterruptedException {
        ReceivedMessage message = handled.poll(20, TimeUnit.SECONDS);
        assertThat(message).as("a message").isNotNull();
        return message;
    }

    /** The reply of a handler, which comes from its thread. */
    private Posted nextPosted() throws InterruptedException {
        var posted = store.posted.poll(20, TimeUnit.SECONDS);
        assertThat(posted).as("a reply").isNotNull();
        return posted.request();
    }

    private CompletionStage<SendOutcome> send(Recipient to) {
        return messages.send(to, "t", "{}");
    }

    private CompletionStage<AskReply> ask() {
        return messages.ask(Recipient.member("other"), "t", "{}", TIMEOUT);
    }

    private void connect() {
        loop.settle();
        store.post(new MemberMessage.Connected());
        loop.settle();
    }

    private void hear(WireMessage message) {
        store.post(new MemberMessage.Received(message.text()));
        loop.settle();
    }

    private void reply(WireMessage question, String by, Kind kind, String body) {
        hear(question.reply(kind, by, body));
    }

    private <T> T result(CompletionStage<T> stage) {
        loop.settle();
        for (Runnable next = callbacks.poll(); next != null; next = callbacks.poll()) {
            next.run();
        }
        CompletableFuture<T> future = stage.toCompletableFuture();
        assertThat(future).isDone();
        return future.join();
    }

    private Reason reason(CompletionStage<AskReply> asked) {
        return ((Unanswered) result(asked)).reason();
    }

    private String detail(CompletionStage<AskReply> asked) {
        return ((Unanswered) result(asked)).detail();
    }

    /** The engine starts and is told of itself and another, which leads the election e. */
    private void begin(MemberEntry... more) {
        engine.start();
        loop.settle();
        answerBeat(more);
    }

    private void answerBeat(MemberEntry... more) {
        List<MemberEntry> entries = new ArrayList<>(List.of(more));
        entries.add(new MemberEntry.Present(own(), 1, 1, "id=me\n"));
        entries.add(new MemberEntry.Present("other-instance", 2, 2, "id=other\nrole.e=LEADER\n"));
        store.beats.remove().answer(new Beaten(new RosterVersion("roster", 3, 1), true, false, entries));
        loop.settle();
    }

    private String own() {
        return engine.members().orElseThrow().own().instance();
    }

    private static WireMessage read(Posted posted) {
        return WireMessage.read(posted.text()).orElseThrow();
    }
}
