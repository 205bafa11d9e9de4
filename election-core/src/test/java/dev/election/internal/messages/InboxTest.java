package dev.election.internal.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.internal.messages.WireMessage.Kind;
import dev.election.members.Member;
import dev.election.members.MessageCount;
import dev.election.testing.LoggedLines;
import dev.election.testing.PlainMember;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Messages that wait for handlers, on threads that the test runs. */
class InboxTest {

    /** Each is a thread that was begun. */
    private final Queue<Runnable> threads = new ArrayDeque<>();

    private final Queue<Runnable> looks = new ArrayDeque<>();
    private final List<String> handled = new ArrayList<>();
    private final Counts counts = new Counts();

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    private long now;
    private Consumer<Delivery> handler =
            delivery -> handled.add(delivery.message().body());
    private final Inbox inbox =
            new Inbox(threads::add, delivery -> handler.accept(delivery), new HangWatch(() -> now, looks::add), counts);

    @Test
    void messages_of_one_sender_are_handled_one_after_the_other_in_their_order() {
        for (int i = 0; i < 5; i++) {
            add("a", "t", "a" + i);
        }
        assertThat(threads).hasSize(1);
        runAll();
        assertThat(handled).containsExactly("a0", "a1", "a2", "a3", "a4");
    }

    @Test
    void messages_of_several_senders_are_handled_at_the_same_time() {
        add("a", "t", "a");
        add("b", "t", "b");
        add("c", "u", "c");
        assertThat(threads).hasSize(3);
    }

    @Test
    void handlers_of_a_type_that_hang_leave_threads_to_those_of_other_types() {
        for (int i = 0; i < 10; i++) {
            add("s" + i, "hangs", "h" + i);
        }
        assertThat(threads).hasSize(FairQueue.MOST_OF_A_TYPE);
        threads.clear();
        add("another", "works", "w1");
        add("another", "works", "w2");
        runAll();
        assertThat(handled).containsExactly("w1", "w2");
    }

    @Test
    void the_number_of_threads_is_bounded() {
        for (int i = 0; i < 100; i++) {
            add("s" + i, "t" + i, "");
        }
        assertThat(threads).hasSize(FairQueue.MOST_HANDLED);
        runAll();
        assertThat(handled).hasSize(100);
    }

    @Test
    void a_sender_that_always_has_messages_leaves_turns_to_others_of_that_type() {
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 3; j++) {
                add("busy" + i, "t", "busy");
            }
        }
        add("late", "t", "late");
        Runnable one = threads.remove();
        threads.clear();
        one.run();
        assertThat(handled.subList(0, 3)).containsExactly("busy", "busy", "late");
    }

    @Test
    void where_there_is_no_room_the_sender_with_most_messages_loses_one() {
        for (int i = 0; i < 2_000; i++) {
            add("loud", "t", "loud");
        }
        assertThat(counts.of(MessageCount.OVERFLOW)).isEqualTo(2_000 - FairQueue.MOST_WAITING - 1);
        for (int i = 0; i < 10; i++) {
            add("quiet", "t", "quiet" + i);
        }
        assertThat(counts.of(MessageCount.OVERFLOW)).isEqualTo(2_000 - FairQueue.MOST_WAITING - 1 + 9);
        runAll();
        // Besides those that waited the first one of each.
        assertThat(handled).hasSize(FairQueue.MOST_WAITING + 2).contains("quiet0", "quiet9");
        assertThat(log.withLevels())
                .satisfiesExactly(
                        warning -> assertThat(warning).startsWith("WARN "),
                        end -> assertThat(end).startsWith("INFO ").contains("were dropped: 1008"));
        add("loud", "t", "again");
        runAll();
        assertThat(handled).endsWith("again");
    }

    @Test
    void a_handler_that_hangs_is_told_once() {
        handler = delivery -> {
            for (int i = 0; i < 3; i++) {
                pass(HangWatch.LONG.toNanos());
            }
        };
        add("a", "hangs", "");
        runAll();
        assertThat(log.withLevels()).singleElement().asString().contains("'hangs'");
        add("a", "hangs", "");
        runAll();
        assertThat(log.withLevels()).as("after it had ended").hasSize(2);
        pass(HangWatch.LONG.toNanos());
        assertThat(looks).as("where nothing runs").isEmpty();
    }

    @Test
    void handlers_that_take_less_are_not_told_however_many_there_are() {
        handler = delivery -> pass(HangWatch.LONG.toNanos() - 1);
        for (int i = 0; i < 10; i++) {
            add("a", "slow", "");
        }
        runAll();
        assertThat(log.withLevels()).isEmpty();
    }

    @Test
    void what_waits_can_be_dropped_and_what_runs_goes_on() {
        handler = delivery -> {
            handled.add(delivery.message().body());
            inbox.clear();
        };
        add("a", "t", "1");
        add("a", "t", "2");
        runAll();
        assertThat(handled).containsExactly("1");
        add("a", "t", "3");
        runAll();
        assertThat(handled).containsExactly("1", "3");
    }

    @Test
    void a_message_for_which_no_thread_can_be_begun_holds_up_no_later_one() {
        Queue<Runnable> accepted = new ArrayDeque<>();
        boolean[] isRefused = {true};
        Inbox refused = new Inbox(
                task -> {
                    if (isRefused[0]) {
                        throw new RejectedExecutionException();
                    }
                    accepted.add(task);
                },
                delivery -> handled.add(delivery.message().body()),
                new HangWatch(() -> now, looks::add),
                counts);
        refused.add(delivery("a", "t", "1"));
        isRefused[0] = false;
        refused.add(delivery("a", "t", "2"));
        accepted.remove().run();
        assertThat(handled).containsExactly("2");
    }

    private void pass(long nanos) {
        now += nanos;
        List<Runnable> due = List.copyOf(looks);
        looks.clear();
        due.forEach(Runnable::run);
    }

    private void runAll() {
        for (Runnable next = threads.poll(); next != null; next = threads.poll()) {
            next.run();
        }
    }

    private void add(String sender, String type, String body) {
        inbox.add(delivery(sender, type, body));
    }

    static Delivery delivery(String sender, String type, String body) {
        return new Delivery(new WireMessage(Kind.MESSAGE, sender, type, "", body), member(sender));
    }

    static Member member(String instance) {
        return PlainMember.of("node-" + instance, instance, Map.of(), Optional.empty(), 1);
    }
}
