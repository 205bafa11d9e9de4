package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.members.LeaveReason;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.LeaseStore;
import dev.election.store.LeaveReply;
import dev.election.store.MemberStore;
import dev.election.store.RosterVersion;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The contract of stores with {@link LeaseStore#memberStore}. Each test has members of its own: a store's own test makes another store, or
 * another key prefix, for each.
 */
public interface MembersContract {

    /** A lifetime in which no member expires. */
    Duration LONG = Duration.ofSeconds(60);

    Duration SHORT = Duration.ofSeconds(10);

    LeaseStore store();

    /** Lets that much time pass on the store's clock, or on that of the processes where the store has none. */
    void pass(Duration time);

    /** Deletes all that the store has of the members. */
    void forget();

    /** Waits until the store has no text of a member that was seen to have expired, where others delete it. */
    default void awaitDeletion(String instance) {}

    @Test
    default void a_member_is_seen_with_its_text_by_the_next_beat_of_any_other() {
        MemberReader a = reader("a");
        a.beat("text of a\nand more \u00e4\u20ac");
        MemberReader b = reader("b");
        b.beat("text of b");
        a.beat("text of a\nand more \u00e4\u20ac");
        assertThat(b.texts())
                .containsEntry("a", "text of a\nand more \u00e4\u20ac")
                .containsEntry("b", "text of b");
        assertThat(a.texts()).isEqualTo(b.texts());
    }

    @Test
    default void members_are_in_the_order_in_which_they_joined_also_when_they_change() {
        MemberReader a = member("z");
        pass(Duration.ofMillis(2));
        MemberReader b = member("a");
        a.beat("2");
        b.beat("1");
        assertThat(b.texts()).containsEntry("z", "2");
        assertThat(b.joined("z")).isLessThan(b.joined("a"));
    }

    @Test
    default void a_member_that_leaves_is_gone_at_once_and_its_reason_is_told() {
        member("a");
        MemberReader b = member("b");
        assertThat(ask(members().leave("a"))).isInstanceOf(LeaveReply.Left.class);
        assertThat(ask(members().leave("a"))).as("again").isInstanceOf(LeaveReply.Left.class);
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("b");
        assertThat(b.reasons()).containsEntry("a", LeaveReason.STOPPED);
    }

    @Test
    default void a_member_expires_when_it_has_not_beaten_for_its_time_and_not_before() {
        MemberReader a = member("a", SHORT);
        MemberReader b = member("b");
        pass(SHORT.minusSeconds(5));
        a.beat("1");
        b.beat("1");
        pass(SHORT.minusSeconds(5));
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("a", "b");
        pass(Duration.ofSeconds(5).plusMillis(2));
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("b");
        assertThat(b.reasons()).containsEntry("a", LeaveReason.EXPIRED);
    }

    @Test
    default void a_member_that_has_expired_joins_again_behind_the_others() {
        MemberReader a = member("a", SHORT);
        MemberReader b = member("b");
        pass(SHORT.plusMillis(2));
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("b");
        awaitDeletion("a");
        a.beat("1");
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("a", "b");
        assertThat(b.joined("a")).isGreaterThan(b.joined("b"));
    }

    @Test
    default void a_beat_that_is_repeated_registers_no_second_member() {
        MemberReader a = member("a");
        long joined = a.joined("a");
        MemberReader again = member("a");
        assertThat(again.texts()).containsOnlyKeys("a");
        assertThat(again.joined("a")).isEqualTo(joined);
    }

    @Test
    default void a_member_lasts_for_as_long_as_it_said_last() {
        member("a", SHORT);
        member("a", LONG);
        MemberReader b = member("b");
        pass(SHORT.plusSeconds(1));
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("a", "b");
    }

    @Test
    default void an_entry_that_lasts_for_a_month_is_there_until_then() {
        member("a", Duration.ofDays(30));
        MemberReader b = member("b");
        pass(Duration.ofDays(29));
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("a", "b");
        pass(Duration.ofDays(1).plusMillis(2));
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("b");
        assertThat(b.reasons()).containsEntry("a", LeaveReason.EXPIRED);
    }

    @Test
    default void members_register_again_in_a_store_that_has_lost_them() {
        MemberReader a = member("a");
        MemberReader b = member("b");
        forget();
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("b");
        a.beat("1");
        b.beat("1");
        assertThat(b.texts()).containsOnlyKeys("a", "b");
    }

    /** The members of the store. */
    default MemberStore members() {
        return store().memberStore().orElseThrow();
    }

    /** A member that beats and keeps a copy. */
    default MemberReader reader(String instance) {
        return reader(instance, LONG);
    }

    /** A member that beats and keeps a copy, and expires that time after its last beat. */
    default MemberReader reader(String instance, Duration expiresAfter) {
        return new MemberReader(
                request -> (Beaten) ask(store().send(List.of(request)).get(0)), instance, expiresAfter);
    }

    /** A member that has registered itself, and reads. */
    default MemberReader member(String instance) {
        return member(instance, LONG);
    }

    /** A member that has registered itself, and reads, and expires that time after its last beat. */
    default MemberReader member(String instance, Duration expiresAfter) {
        MemberReader member = reader(instance, expiresAfter);
        member.beat("1");
        return member;
    }

    /** Registers a member that keeps no copy. */
    default void register(String instance, String text) {
        Object reply = ask(
                members().beat(new BeatRequest(instance, text, LONG, new RosterVersion("none", Long.MAX_VALUE, 0))));
        assertThat(reply).isInstanceOf(Beaten.class);
    }

    /** Waits for the reply of the store. */
    default <T> T ask(CompletionStage<T> reply) {
        try {
            return reply.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("The store gave no reply", e);
        }
    }
}
