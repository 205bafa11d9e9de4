package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.members.LeaveReason;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.LeaseStore;
import dev.election.store.MemberEntry;
import dev.election.store.MemberNews;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of stores of members that send a reader only the changes, and pass news on. */
public interface MemberChangesContract extends MembersContract {

    /** The largest reply, apart from its last entry. */
    int LONGEST_REPLY = 16_384;

    @Test
    default void a_beat_that_says_the_same_is_no_change() {
        MemberReader a = member("a");
        MemberReader b = member("b");
        a.beat("1");
        Beaten before = b.beatOnce("1");
        a.beat("1");
        Beaten after = b.beatOnce("1");
        assertThat(after.version()).isEqualTo(before.version());
        assertThat(after.changes()).isEmpty();
        assertThat(after.isAll()).isFalse();
    }

    @Test
    default void a_reader_gets_only_what_has_changed_since_its_last_beat() {
        IntStream.range(0, 500).forEach(i -> register("m" + i, "x".repeat(100)));
        MemberReader reader = reader("reader");
        assertThat(reader.beat("r")).as("requests for 50 kB").isBetween(3, 6);
        assertThat(reader.texts()).hasSize(501);
        register("m250", "new");
        assertThat(ask(members().leave("m7"))).isNotNull();
        Beaten reply = reader.beatOnce("r");
        assertThat(reply.changes()).extracting(MemberEntry::instance).containsExactly("m250", "m7");
        assertThat(reply.hasMore()).isFalse();
        assertThat(reader.beatOnce("r").changes()).isEmpty();
    }

    @Test
    default void a_reply_is_bounded_and_the_next_ones_get_the_rest_in_order() {
        IntStream.range(0, 20).forEach(i -> register("m" + i, "x".repeat(4000)));
        MemberReader reader = reader("reader");
        Beaten first = reader.beatOnce("r");
        assertThat(first.isAll()).isTrue();
        assertThat(first.hasMore()).isTrue();
        assertThat(first.changes().stream()
                        .mapToInt(entry -> ((MemberEntry.Present) entry).text().length())
                        .sum())
                .isBetween(4000, LONGEST_REPLY);
        assertThat(first.changes().get(0).instance()).isEqualTo("m0");
        Beaten second = reader.beatOnce("r");
        assertThat(second.isAll()).isFalse();
        assertThat(second.changes().get(0).number())
                .isGreaterThan(first.changes().get(first.changes().size() - 1).number());
        reader.beat("r");
        assertThat(reader.texts()).hasSize(21);
    }

    @Test
    default void more_changes_than_a_reply_has_come_with_the_next_ones() {
        IntStream.range(0, 250).forEach(i -> register("m" + i, "x"));
        MemberReader reader = reader("reader");
        reader.beat("r");
        assertThat(reader.texts()).hasSize(251);
    }

    @Test
    default void a_leaving_of_who_is_not_there_is_no_change() {
        MemberReader a = member("a");
        ask(members().leave("nobody"));
        register("b", "1");
        ask(members().leave("b"));
        Beaten before = a.beatOnce("1");
        ask(members().leave("b"));
        assertThat(a.beatOnce("1").version()).isEqualTo(before.version());
        assertThat(before.changes()).extracting(MemberEntry::instance).containsExactly("b");
    }

    @Test
    default void a_new_reader_is_not_told_who_has_left_before() {
        register("a", "1");
        ask(members().leave("a"));
        assertThat(reader("reader").beatOnce("1").changes())
                .extracting(MemberEntry::instance)
                .containsExactly("reader");
    }

    @Test
    default void a_member_that_has_returned_is_not_forgotten_with_those_that_are_gone() {
        MemberReader a = member("a", Duration.ofDays(1));
        MemberReader b = member("b", Duration.ofDays(1));
        ask(members().leave("a"));
        a.beat("1");
        pass(Duration.ofMinutes(11));
        b.beat("1");
        MemberReader fresh = member("fresh");
        assertThat(fresh.texts()).containsOnlyKeys("a", "b", "fresh");
    }

    @Test
    default void a_member_that_leaves_while_a_copy_is_being_read_is_not_in_it() {
        IntStream.range(0, 20).forEach(i -> register("m" + i, "x".repeat(4000)));
        MemberReader reader = reader("reader");
        reader.beatOnce("r");
        ask(members().leave("m0"));
        ask(members().leave("m19"));
        reader.beat("r");
        assertThat(reader.texts()).hasSize(19).doesNotContainKeys("m0", "m19");
    }

    @Test
    default void a_reader_of_another_list_begins_from_nothing() {
        MemberReader a = member("a");
        forget();
        register("b", "1");
        register("c", "1");
        Beaten reply = a.beatOnce("1");
        assertThat(reply.isAll()).isTrue();
        assertThat(a.texts()).containsOnlyKeys("a", "b", "c");
    }

    @Test
    default void a_reader_that_was_away_for_longer_than_leavings_are_remembered_begins_from_nothing() {
        MemberReader a = reader("a", Duration.ofDays(1));
        register("b", "1");
        register("c", "1");
        a.beat("1");
        ask(members().leave("b"));
        pass(Duration.ofMinutes(5));
        register("c", "1");
        assertThat(a.beatOnce("1").isAll()).as("after five minutes").isFalse();
        ask(members().leave("c"));
        pass(Duration.ofMinutes(11));
        register("d", "1");
        register("e", "1");
        Beaten reply = a.beatOnce("1");
        assertThat(reply.isAll()).as("after eleven minutes").isTrue();
        assertThat(a.texts()).containsOnlyKeys("a", "d", "e");
        assertThat(a.beatOnce("1").isAll()).as("from then on").isFalse();
    }

    @Test
    default void many_who_have_left_are_forgotten_and_a_copy_can_be_read_nevertheless() {
        IntStream.range(0, 1200).forEach(i -> {
            register("m" + i, "x");
            ask(members().leave("m" + i));
        });
        IntStream.range(0, 9).forEach(i -> register("n" + i, "x".repeat(4000)));
        MemberReader reader = reader("reader");
        assertThat(reader.beat("r")).isLessThan(20);
        assertThat(reader.texts()).hasSize(10);
    }

    @Test
    default void changes_are_told_to_who_listens() throws InterruptedException {
        LinkedBlockingQueue<MemberNews> heard = new LinkedBlockingQueue<>();
        try (LeaseStore.Subscription subscription = members().listen(heard::add)) {
            assertThat(heard.poll(20, TimeUnit.SECONDS)).isInstanceOf(MemberNews.Connected.class);
            MemberReader a = reader("a");
            a.beat("1\n2");
            a.beat("1\n2");
            a.beat("3");
            ask(members().leave("a"));
            long joined = a.joined("a");
            String roster = a.known().roster();
            long number = a.known().number();
            assertNext(heard, new MemberNews.Changed(roster, new MemberEntry.Present("a", number - 1, joined, "1\n2")));
            assertNext(heard, new MemberNews.Changed(roster, new MemberEntry.Present("a", number, joined, "3")));
            assertNext(
                    heard, new MemberNews.Changed(roster, new MemberEntry.Gone("a", number + 1, LeaveReason.STOPPED)));
        }
    }

    private static void assertNext(LinkedBlockingQueue<MemberNews> heard, MemberNews expected)
            throws InterruptedException {
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(expected);
    }
}
