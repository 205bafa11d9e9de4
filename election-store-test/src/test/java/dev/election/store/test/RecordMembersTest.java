package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.store.LeaseStore;
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
            store = new RecordLeaseStore(
                    records, "p/", new LeaseRules(5), () -> monotonic.get() * 1_000_000, wall::get);
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
