package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract over a store that can change a text only as a whole, with a clock and without one. */
class RecordLeaseStoreTest {

    @Nested
    class WithClock extends Contract {

        WithClock() {
            super(true);
        }
    }

    @Nested
    class WithoutClock extends Contract {

        WithoutClock() {
            super(false);
        }

        @Test
        void processes_that_ask_once_and_die_keep_nobody_waiting_for_longer() {
            lead(candidate("leader"));
            Candidate follower = candidate("follower");
            LeaseStore itsProcess = process();
            assertThat(campaign(itsProcess, follower)).isInstanceOf(Held.class);
            askOnceAndDieEveryQuarterOfALease(5);
            assertThat(campaign(itsProcess, follower)).isInstanceOf(CampaignReply.Granted.class);
        }

        @Test
        void processes_that_ask_once_and_die_leave_the_queue_after_three_leases() {
            lead(candidate("leader"));
            askOnceAndDieEveryQuarterOfALease(100);
            assertThat(records.find(election()).text().lines().filter(line -> line.startsWith("waiting=")))
                    .hasSizeBetween(1, 13);
        }

        @Test
        void a_lock_delay_lasts_for_its_whole_length_from_its_first_sight_whoever_has_written_the_record_meanwhile() {
            CampaignReply.Granted grant = lead(candidate("leader"));
            forget();
            assertThat(campaign(candidate("early"), LEASE, grant.token().value()))
                    .isInstanceOf(CampaignReply.Wait.class);
            pass(LEASE.minusMillis(1));
            assertThat(campaign(candidate("another")))
                    .isInstanceOfSatisfying(CampaignReply.Wait.class, wait -> assertThat(wait.remaining())
                            .isEqualTo(Duration.ofMillis(1)));
            LeaseStore late = process();
            Candidate candidate = candidate("late");
            assertThat(campaign(late, candidate))
                    .isInstanceOfSatisfying(CampaignReply.Wait.class, wait -> assertThat(wait.remaining())
                            .isEqualTo(LEASE));
            pass(LEASE.minusMillis(1));
            assertThat(campaign(late, candidate)).isInstanceOf(CampaignReply.Wait.class);
        }

        private void askOnceAndDieEveryQuarterOfALease(int times) {
            for (int i = 0; i < times; i++) {
                pass(LEASE.dividedBy(4));
                campaign(process(), candidate("short-lived-" + i));
            }
        }

        private CampaignReply campaign(LeaseStore process, Candidate candidate) {
            return ask(process.campaign(new CampaignRequest(candidate, LEASE, 0, SETTLE)));
        }
    }

    abstract static class Contract extends LeaseStoreContract
            implements IncarnationContract, SuccessionContract, HistoryContract, EvictionContract, MessagingContract {

        private final AtomicLong wall = new AtomicLong(1_800_000_000_000L);

        /** In milliseconds. Never goes back. */
        private final AtomicLong monotonic = new AtomicLong();

        final InMemoryRecordStore records;
        private final LeaseStore store;

        Contract(boolean hasClock) {
            records = hasClock
                    ? InMemoryRecordStore.withClock(wall::get)
                    : InMemoryRecordStore.withoutClock(monotonic::get);
            store = process();
        }

        /** As another process sees it. */
        final LeaseStore process() {
            return new RecordLeaseStore(
                    records, "", new LeaseRules(HISTORY), () -> monotonic.get() * 1_000_000, wall::get);
        }

        @Test
        void a_renewal_is_written_also_where_the_record_says_the_same_as_before() {
            Candidate a = candidate("a");
            CampaignReply.Granted grant = lead(a);
            String before = records.find(election()).text();
            renew(a, grant);
            assertThat(records.find(election()).text()).isNotEqualTo(before);
        }

        @Test
        void a_question_of_a_follower_is_written_only_once_half_of_the_time_of_its_place_is_over() {
            lead(candidate("leader"), Duration.ofHours(1));
            Candidate follower = candidate("follower");
            campaign(follower, LONG_LEASE, 0);
            String before = records.find(election()).text();
            Duration half = LONG_LEASE.multipliedBy(3).dividedBy(2);
            pass(half.minusMillis(1));
            campaign(follower, LONG_LEASE, 0);
            assertThat(records.find(election()).text()).isEqualTo(before);
            pass(Duration.ofMillis(1));
            campaign(follower, LONG_LEASE, 0);
            assertThat(records.find(election()).text()).isNotEqualTo(before);
        }

        @Test
        void a_record_in_a_newer_format_is_refused_and_stays_as_it_is() {
            Candidate leader = candidate("leader");
            CampaignReply.Granted grant = lead(leader);
            rewrite(text -> text.replaceFirst("format=2", "format=3"));
            RecordStore.Stored newer = records.find(election());
            pass(LEASE.multipliedBy(2));
            assertNewerFormat(campaign(candidate("other")));
            assertNewerFormat(renew(leader, grant));
            assertNewerFormat(release(leader, grant));
            assertNewerFormat(ask(store.read(election())));
            assertThat(records.find(election())).isEqualTo(newer);
        }

        private static void assertNewerFormat(Object reply) {
            assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> {
                assertThat(none.problem()).isEqualTo(StoreProblem.NEWER_FORMAT);
                assertThat(none.detail()).contains("format 3");
            });
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "epoch.token=-5",
                    "epoch.token=9007199254740992",
                    "epoch.closed=9007199254740992",
                    "epoch.length=86400001",
                    "lease.length=-1",
                    "lease.length=9223372036854775807",
                    "lease.token=nan"
                })
        void a_record_with_a_value_that_no_node_writes_is_refused_with_its_key_and_stays_as_it_is(String line) {
            Candidate leader = candidate("leader");
            CampaignReply.Granted grant = lead(leader);
            rewrite(text -> text.replaceFirst("(?m)^" + line.replaceFirst("=.*", "=.*"), line));
            RecordStore.Stored spoilt = records.find(election());
            assertThat(spoilt.text()).contains(line + "\n");
            for (Object reply : List.of(
                    campaign(candidate("other")),
                    renew(leader, grant),
                    release(leader, grant),
                    ask(store.read(election())))) {
                assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> {
                    assertThat(none.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
                    assertThat(none.action()).contains("the key " + election() + " ");
                });
            }
            assertThat(records.find(election())).isEqualTo(spoilt);
        }

        @Override
        public LeaseStore store() {
            return store;
        }

        @Override
        public void forget() {
            records.put(election(), null);
        }

        @Override
        public Runnable save() {
            RecordStore.Stored then = records.find(election());
            return () -> records.put(election(), then);
        }

        @Override
        public void loseLease() {
            rewrite(text -> text.replaceAll("(?m)^lease\\..*\n", ""));
        }

        @Override
        public void pass(Duration time) {
            wall.addAndGet(time.toMillis());
            monotonic.addAndGet(time.toMillis());
        }

        @Override
        public void changeIncarnation() {
            records.becomeAnother(LEASE);
        }

        @Override
        public Duration leaseOlderThanTheServer() {
            return LEASE.plusMillis(1000);
        }

        @Override
        public void turnClockBack(Duration time) {
            wall.addAndGet(-time.toMillis());
        }

        /** As an operator does it: the id of the write changes too. */
        final void rewrite(UnaryOperator<String> change) {
            RecordStore.Stored before = records.find(election());
            if (before != null) {
                String text = change.apply(before.text()).replaceFirst("(?m)^write=.*$", "write=by hand");
                records.put(election(), new RecordStore.Stored(text, before.version()));
            }
        }
    }
}
