package dev.election.internal.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.internal.messages.WireMessage.Kind;
import dev.election.members.Member;
import dev.election.members.MessageCount;
import dev.election.members.NodeMessages;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What comes over the channels, from whomever. */
class ReceptionTest implements Reception.Host {

    private static final long PATIENCE = 1_000;

    private final Map<String, Member> members = new HashMap<>();
    private final Set<String> types = new HashSet<>(Set.of("t"));
    private final List<WireMessage> unhandled = new ArrayList<>();
    private final List<WireMessage> replies = new ArrayList<>();
    private final List<Waiting> later = new ArrayList<>();
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> handled = new ArrayList<>();
    private final Counts counts = new Counts();
    private long now;
    private final Reception reception = new Reception(
            this,
            new Inbox(
                    threads::add,
                    delivery -> handled.add(delivery.message().body()),
                    new HangWatch(() -> now, task -> {}),
                    counts),
            counts,
            () -> now,
            PATIENCE);

    @Test
    void a_message_of_a_known_member_with_a_handler_is_handled() {
        know("a");
        receive("a", "t", "1");
        runAll();
        assertThat(handled).containsExactly("1");
    }

    @Test
    void what_is_too_large_or_no_message_is_dropped_and_counted() {
        know("a");
        reception.receive(text("a", "t", "x".repeat(NodeMessages.MOST_BYTES)));
        reception.receive("nonsense");
        reception.receive("");
        assertThat(threads).isEmpty();
        assertThat(counts.of(MessageCount.OVERSIZED)).isEqualTo(1);
        assertThat(counts.of(MessageCount.MALFORMED)).isEqualTo(2);
    }

    @Test
    void a_message_without_a_handler_is_told_of_and_dropped() {
        know("a");
        receive("a", "other", "1");
        assertThat(threads).isEmpty();
        assertThat(unhandled).extracting(WireMessage::type).containsExactly("other");
    }

    @Test
    void replies_wait_for_no_handler_and_need_no_known_sender() {
        WireMessage reply = new WireMessage(Kind.REPLY, "unknown", "t", "id", "x");
        reception.receive(reply.text());
        assertThat(replies).containsExactly(reply);
    }

    @Test
    void messages_of_a_member_that_is_just_becoming_known_are_handled_in_their_order() {
        receive("new", "t", "1");
        receive("new", "t", "2");
        know("other");
        reception.look();
        assertThat(threads).isEmpty();
        know("new");
        receive("new", "t", "3");
        runAll();
        assertThat(handled).containsExactly("1", "2", "3");
    }

    @Test
    void what_has_no_known_sender_in_time_is_dropped_and_counted() {
        receive("nobody", "t", "1");
        pass(PATIENCE - 1);
        assertThat(counts.of(MessageCount.UNKNOWN_SENDER)).isZero();
        receive("nobody", "t", "2");
        pass(1);
        assertThat(counts.of(MessageCount.UNKNOWN_SENDER)).isEqualTo(1);
        pass(PATIENCE);
        assertThat(counts.of(MessageCount.UNKNOWN_SENDER)).isEqualTo(2);
        assertThat(later).as("where nothing waits").isEmpty();
        know("nobody");
        reception.look();
        runAll();
        assertThat(handled).isEmpty();
    }

    @Test
    void all_that_waits_can_be_dropped() {
        know("a");
        receive("a", "t", "1");
        receive("a", "t", "2");
        receive("new", "t", "3");
        reception.clear();
        know("new");
        reception.look();
        runAll();
        assertThat(handled).as("what runs already goes on").containsExactly("1");
    }

    @Test
    void a_hundred_thousand_hostile_messages_are_dropped_and_others_get_through() {
        know("victim");
        know("honest");
        String oversized = text("victim", "t", "x".repeat(NodeMessages.MOST_BYTES));
        String malformed = "kind=message\nfrom=victim\n".repeat(600);
        for (int i = 0; i < 20_000; i++) {
            reception.receive(oversized);
            reception.receive(malformed);
            receive("forged" + i, "t", "forged");
            receive("victim", "unknown" + i, "unknown");
            receive("victim", "t", "loud");
            if (i % 2_000 == 0) {
                receive("honest", "t", "honest");
            }
        }
        long waiting = 20_010 - counts.of(MessageCount.OVERFLOW);
        assertThat(waiting).isBetween(1_000L, 1_002L);
        assertThat(counts.of(MessageCount.OVERSIZED)).isEqualTo(20_000);
        assertThat(counts.of(MessageCount.MALFORMED)).isEqualTo(20_000);
        assertThat(counts.of(MessageCount.UNKNOWN_SENDER)).isBetween(19_900L, 20_000L);
        assertThat(unhandled).hasSize(20_000);
        runAll();
        assertThat(handled).filteredOn("honest"::equals).hasSize(10);
        assertThat(handled).hasSize((int) waiting);
    }

    @Override
    public @Nullable Member member(String instance) {
        return members.get(instance);
    }

    @Override
    public boolean handles(String type) {
        return types.contains(type);
    }

    @Override
    public void unhandled(WireMessage message) {
        unhandled.add(message);
    }

    @Override
    public void reply(WireMessage reply) {
        replies.add(reply);
    }

    @Override
    public void later(long pause, Runnable task) {
        assertThat(pause).isEqualTo(PATIENCE);
        later.add(new Waiting(now + pause, task));
    }

    private void pass(long nanos) {
        now += nanos;
        List<Waiting> due = later.stream().filter(waiting -> waiting.at <= now).toList();
        later.removeAll(due);
        due.forEach(waiting -> waiting.task.run());
    }

    private void runAll() {
        for (Runnable next = threads.poll(); next != null; next = threads.poll()) {
            next.run();
        }
    }

    private void know(String... instances) {
        Arrays.stream(instances).forEach(instance -> members.put(instance, InboxTest.member(instance)));
    }

    private void receive(String from, String type, String body) {
        reception.receive(text(from, type, body));
    }

    private static String text(String from, String type, String body) {
        return new WireMessage(Kind.MESSAGE, from, type, "", body).text();
    }

    private record Waiting(long at, Runnable task) {}
}
