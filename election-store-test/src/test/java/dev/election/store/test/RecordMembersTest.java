package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.members.LeaveReason;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.store.BeatReply;
import dev.election.store.LeaseStore;
import dev.election.store.MemberEntry;
import dev.election.store.MemberStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The members over a store that can change a text only as a whole, with a clock and without one. */
class RecordMembersTest {

    @Nested
    class WithClock extends Contract {

        WithClock() {
            super(true);
        }

        @Test
        void a_process_that_has_just_started_finds_a_member_overdue_that_has_died_before() {
            reader("dead", SHORT).beat("1");
            pass(SHORT.plusMillis(2));
            MemberReader fresh = reader("fresh");
            fresh.beat("1");
            assertThat(fresh.texts()).containsOnlyKeys("fresh");
        }

        @Test
        void a_member_whose_end_lies_too_far_ahead_expires_after_its_time() {
            pass(Duration.ofHours(1));
            reader("dead", SHORT).beat("1");
            MemberReader other = reader("other");
            turnClockBack(Duration.ofHours(1));
            other.beat("1");
            pass(SHORT.minusMillis(1));
            other.beat("1");
            assertThat(other.texts()).containsOnlyKeys("dead", "other");
            pass(Duration.ofMillis(2));
            other.beat("1");
            assertThat(other.texts()).containsOnlyKeys("other");
        }

        @Test
        void a_beat_that_is_carried_out_late_does_not_bring_the_end_of_a_later_one_forward() {
            MemberReader member = reader("member", SHORT);
            member.beat("1");
            records.beforeNextChange(() -> {
                pass(SHORT.minusSeconds(1));
                reader("member", SHORT).beat("1");
            });
            member.beat("1");
            pass(Duration.ofSeconds(2));
            MemberReader other = reader("other");
            other.beat("1");
            assertThat(other.texts()).containsOnlyKeys("member", "other");
        }
    }

    @Nested
    class WithoutClock extends Contract {

        WithoutClock() {
            super(false);
        }

        @Test
        void a_process_that_has_just_started_waits_for_the_time_of_a_member_before_it_counts_as_gone() {
            reader("dead", SHORT).beat("1");
            pass(SHORT.multipliedBy(10));
            MemberReader fresh = reader("fresh");
            fresh.beat("1");
            assertThat(fresh.texts()).containsOnlyKeys("dead", "fresh");
            pass(SHORT.plusMillis(1));
            fresh.beat("1");
            assertThat(fresh.texts()).containsOnlyKeys("fresh");
        }

        @Test
        void a_beat_counts_as_silent_only_if_it_is_found_by_a_request_that_was_made_after_its_time() {
            MemberReader alive = reader("alive", SHORT);
            alive.beat("1");
            MemberReader other = memberOfAnotherProcess("other");
            other.beat("1");
            pass(SHORT.minusMillis(1));
            records.beforeNextChange(() -> {
                alive.beat("1");
                pass(SHORT);
            });
            other.beat("1");
            assertThat(other.texts()).containsOnlyKeys("alive", "other");
        }

        @Test
        void an_answer_that_was_overtaken_does_not_let_a_dead_member_begin_anew() {
            MemberReader dead = reader("dead", SHORT);
            dead.beat("1");
            MemberReader other = memberOfAnotherProcess("other");
            other.beat("1");
            pass(Duration.ofSeconds(2));
            records.beforeNextChange(() -> {
                dead.beat("2");
                pass(Duration.ofMillis(1));
                other.beat("1");
            });
            other.beat("1");
            pass(SHORT.minusMillis(1));
            other.beat("1");
            assertThat(other.texts()).containsOnlyKeys("dead", "other");
            pass(Duration.ofMillis(2));
            other.beat("1");
            assertThat(other.texts()).containsOnlyKeys("other");
        }

        /** One that is sent beside the heartbeats of the process, such as an order to drain a node. */
        @Test
        void an_answer_that_was_overtaken_does_not_bring_back_a_member_that_was_found_to_be_gone() {
            reader("dead", SHORT).beat("1");
            LeaseStore process = process();
            MemberReader other = memberOf(process, "other");
            MemberReader order = memberOf(process, "order");
            other.beat("1");
            pass(SHORT.plusMillis(1));
            records.beforeNextChange(() -> {
                pass(Duration.ofMillis(1));
                order.beat("1");
            });
            other.beat("2");
            assertThat(other.texts()).containsOnlyKeys("other");
        }

        @Test
        void in_another_incarnation_a_beat_of_before_begins_anew() {
            reader("old", SHORT).beat("1");
            MemberReader other = memberOfAnotherProcess("other");
            other.beat("1");
            pass(SHORT.plusMillis(1));
            records.becomeAnother(Duration.ZERO);
            other.beat("1");
            assertThat(other.texts()).containsOnlyKeys("old", "other");
        }
    }

    @DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
    abstract static class Contract implements MembersContract {

        private final AtomicLong wall = new AtomicLong(1_800_000_000_000L);
        private final AtomicLong monotonic = new AtomicLong();
        final InMemoryRecordStore records;
        private final LeaseStore store;

        Contract(boolean hasClock) {
            records = hasClock
                    ? InMemoryRecordStore.withClock(wall::get)
                    : InMemoryRecordStore.withoutClock(monotonic::get);
            store = process();
        }

        final LeaseStore process() {
            return new RecordLeaseStore(records, "p/", new LeaseRules(5), () -> monotonic.get() * 1_000_000, wall::get);
        }

        final MemberReader memberOfAnotherProcess(String instance) {
            return memberOf(process(), instance);
        }

        final MemberReader memberOf(LeaseStore process, String instance) {
            MemberStore other = process.memberStore().orElseThrow();
            return new MemberReader(request -> (BeatReply.Beaten) ask(other.beat(request)), instance, LONG);
        }

        @Test
        void the_key_of_a_member_that_has_expired_or_left_is_deleted() {
            reader("dead", SHORT).beat("1");
            reader("stopped").beat("1");
            MemberReader other = reader("other");
            other.beat("1");
            pass(SHORT.plusMillis(2));
            other.beat("1");
            ask(members().leave("stopped"));
            assertThat(records.find("p/members/dead")).isNull();
            assertThat(records.find("p/members/stopped")).isNull();
            assertThat(records.find("p/members/other")).isNotNull();
        }

        @Test
        void a_beat_after_an_order_to_drain_still_tells_why_a_member_is_gone() {
            reader("stopped").beat("1");
            LeaseStore process = process();
            MemberReader other = memberOf(process, "other");
            other.beat("1");
            ask(members().leave("stopped"));
            memberOf(process, "drain:node").beat("1");
            assertThat(other.beatOnce("1").changes()).contains(new MemberEntry.Gone("stopped", 0, LeaveReason.STOPPED));
        }

        @Test
        void a_member_that_beats_before_it_is_deleted_stays() {
            MemberReader late = reader("late", SHORT);
            late.beat("1");
            MemberReader other = reader("other");
            other.beat("1");
            pass(SHORT.plusMillis(2));
            // Between the reading and the first change, which is that of the reader's own key.
            records.beforeNextChange(() -> late.beat("1"));
            other.beat("1");
            assertThat(records.find("p/members/late")).isNotNull();
            other.beat("1");
            assertThat(other.texts()).containsOnlyKeys("late", "other");
        }

        @Test
        void who_is_missing_in_another_incarnation_is_not_told_as_gone() {
            reader("alive").beat("1");
            MemberReader other = memberOfAnotherProcess("other");
            other.beat("1");
            records.put("p/members/alive", null);
            records.becomeAnother(Duration.ZERO);
            String before = other.known().roster();
            assertThat(other.beatOnce("1").changes())
                    .extracting(MemberEntry::instance)
                    .containsExactly("other");
            assertThat(other.known().roster()).isNotEqualTo(before);
        }

        @Test
        void a_beat_after_old_data_came_back_writes_no_text_that_was_there_before() {
            MemberReader member = reader("member");
            member.beat("1");
            RecordStore.Stored old = records.find("p/members/member");
            pass(Duration.ofMillis(1));
            member.beat("1");
            RecordStore.Stored lost = records.find("p/members/member");
            records.put("p/members/member", old);
            pass(Duration.ofMillis(1));
            member.beat("1");
            assertThat(records.find("p/members/member")).isNotEqualTo(lost);
        }

        @Test
        void what_no_member_has_written_is_passed_over() {
            for (String text : new String[] {"", "anything", "beat=1\nlasts=x\nuntil=0\njoined=1\ntext"}) {
                records.put("p/members/spoilt", new RecordStore.Stored(text, "1"));
                MemberReader reader = reader("reader");
                reader.beat("1");
                assertThat(reader.texts()).containsOnlyKeys("reader");
            }
        }

        @Override
        public LeaseStore store() {
            return store;
        }

        @Override
        public void pass(Duration time) {
            wall.addAndGet(time.toMillis());
            monotonic.addAndGet(time.toMillis());
        }

        final void turnClockBack(Duration time) {
            wall.addAndGet(-time.toMillis());
        }

        @Override
        public void forget() {
            for (String name : new String[] {"a", "b", "c"}) {
                records.put("p/members/" + name, null);
            }
        }
    }
}
