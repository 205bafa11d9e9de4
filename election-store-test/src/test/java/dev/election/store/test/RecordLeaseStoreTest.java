package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.store.CampaignReply;
import dev.election.store.Candidate;
import dev.election.store.LeaseRules;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.NodeEvent;
import dev.election.store.NodeMessaging;
import dev.election.store.RecordLeaseStore;
import dev.election.store.RecordStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
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

        private static final Pattern TIME = Pattern.compile("(?m)^time=(.*)$");

        WithoutClock() {
            super(false);
        }

        /** A clock of a process never goes back: another record is seen, whose time is earlier. */
        @Override
        public void turnClockBack(Duration time) {
            rewrite(text -> TIME.matcher(text)
                    .replaceFirst(
                            found -> "time=" + Instant.parse(found.group(1)).minus(time)));
        }
    }

    abstract static class Contract extends LeaseStoreContract
            implements SuccessionContract, HistoryContract, EvictionContract, MessagingContract {

        private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
        private final InMemoryRecordStore records;
        private final LeaseStore store;

        Contract(boolean hasClock) {
            records = hasClock
                    ? InMemoryRecordStore.withClock(millis::get)
                    : InMemoryRecordStore.withoutClock(millis::get);
            store = new RecordLeaseStore(
                    records, "", new LeaseRules(HISTORY, Duration.ZERO), () -> millis.get() * 1_000_000, millis::get);
        }

        @Test
        void a_renewal_is_written_also_where_the_record_says_the_same_as_before() {
            Candidate a = candidate("a");
            CampaignReply.Granted grant = lead(a);
            String before = records.find(election).text();
            renew(a, grant);
            assertThat(records.find(election).text()).isNotEqualTo(before);
        }

        @Test
        void a_record_in_a_newer_format_is_refused_and_stays_as_it_is() {
            Candidate leader = candidate("leader");
            CampaignReply.Granted grant = lead(leader);
            rewrite(text -> text.replaceFirst("format=1", "format=2"));
            RecordStore.Stored newer = records.find(election);
            pass(LEASE.multipliedBy(2));
            assertNewerFormat(campaign(candidate("other")));
            assertNewerFormat(renew(leader, grant));
            assertNewerFormat(release(leader, grant));
            assertNewerFormat(ask(store.read(election)));
            assertThat(records.find(election)).isEqualTo(newer);
        }

        private static void assertNewerFormat(Object reply) {
            assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> {
                assertThat(none.problem()).isEqualTo(StoreProblem.NEWER_FORMAT);
                assertThat(none.detail()).contains("format 2");
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
            RecordStore.Stored spoilt = records.find(election);
            assertThat(spoilt.text()).contains(line + "\n");
            for (Object reply : List.of(
                    campaign(candidate("other")),
                    renew(leader, grant),
                    release(leader, grant),
                    ask(store.read(election)))) {
                assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> {
                    assertThat(none.problem()).isEqualTo(StoreProblem.WRONG_TYPE);
                    assertThat(none.action()).contains("the key " + election + " ");
                });
            }
            assertThat(records.find(election)).isEqualTo(spoilt);
        }

        @Test
        void what_a_process_said_of_itself_is_gone_when_it_has_left() {
            NodeMessaging messaging = store.messaging().orElseThrow();
            LeaseStore.Subscription subscription = messaging.listenAs("n", event -> {});
            ask(messaging.announceAs("n", new NodeEvent.Present("i", false)));
            assertThat(records.find("node/n")).isNotNull();
            subscription.close();
            assertThat(records.find("node/n")).isNull();
        }

        @Test
        void what_a_process_with_the_same_node_id_has_announced_since_stays_when_a_process_leaves() {
            NodeMessaging messaging = store.messaging().orElseThrow();
            LeaseStore.Subscription subscription = messaging.listenAs("n", event -> {});
            ask(messaging.announceAs("n", new NodeEvent.Present("i", false)));
            RecordStore.Stored other = new RecordStore.Stored("present\nother\nfalse\nid", "1");
            records.put("node/n", other);
            subscription.close();
            assertThat(records.find("node/n")).isEqualTo(other);
        }

        @Test
        void a_record_of_a_node_that_nobody_can_read_is_passed_over_and_written_anew() {
            NodeMessaging messaging = store.messaging().orElseThrow();
            List<NodeEvent> heard = new ArrayList<>();
            NodeEvent.Present present = new NodeEvent.Present("i", false);
            try (LeaseStore.Subscription subscription = messaging.listenAs("n", heard::add)) {
                records.put("node/n", new RecordStore.Stored("anything", "1"));
                ask(messaging.announceAs("n", present));
            }
            assertThat(heard).containsExactly(new NodeEvent.Connected(), present);
        }

        @Override
        public LeaseStore store() {
            return store;
        }

        @Override
        public void forget() {
            records.put(election, null);
        }

        @Override
        public Runnable save() {
            RecordStore.Stored then = records.find(election);
            return () -> records.put(election, then);
        }

        @Override
        public void loseLease() {
            rewrite(text -> text.replaceAll("(?m)^lease\\..*\n", ""));
        }

        @Override
        public void pass(Duration time) {
            millis.addAndGet(time.toMillis());
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
            millis.addAndGet(-time.toMillis());
        }

        /** As an operator does it: the id of the write changes too. */
        final void rewrite(UnaryOperator<String> change) {
            RecordStore.Stored before = records.find(election);
            if (before != null) {
                String text = change.apply(before.text()).replaceFirst("(?m)^write=.*$", "write=by hand");
                records.put(election, new RecordStore.Stored(text, before.version()));
            }
        }
    }
}
