package dev.election.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EvictRequest;
import dev.election.store.Incarnation;
import dev.election.store.ReleaseRequest;
import dev.election.store.StoreMoment;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RecordTextTest {

    private static final long NOW = 1_800_000_000_000L;
    private static final Duration LEASE = Duration.ofSeconds(15);

    private final LeaseRules rules = new LeaseRules(5);

    @Test
    void a_record_is_read_as_it_was_written_whatever_has_happened_in_it() {
        ElectionRecord record = eventful();
        StoredElection stored = new StoredElection(
                "w",
                NOW,
                new StoredElection.Ends("renewed", "locked"),
                record,
                List.of(new StoredElection.News("n", NOW, "several\nlines \\ here")));
        assertThat(RecordText.read(RecordText.write(stored))).isEqualTo(stored);
    }

    @Test
    void an_end_without_the_name_of_a_write_may_have_been_set_by_the_last_one() {
        String text = RecordText.write(
                new StoredElection("w", NOW, new StoredElection.Ends("renewed", "locked"), eventful(), List.of()));
        String old = text.replaceFirst("format=2", "format=1").replaceAll("(?m)^(epoch|lock-delay)\\.write=.*\n", "");
        assertThat(RecordText.read(old).ends()).isEqualTo(new StoredElection.Ends("w", "w"));
    }

    @Test
    void a_reason_that_only_a_newer_version_knows_is_the_most_general_one() {
        String text = RecordText.write(new StoredElection("w", NOW, StoredElection.Ends.NONE, eventful(), List.of()));
        String newer = text.replaceAll("(?m)^(leadership=\\S+ \\S+ \\S+) [A-Z_]+ ", "$1 OF_A_NEWER_VERSION ");
        assertThat(newer).isNotEqualTo(text);
        assertThat(RecordText.read(newer).record().history())
                .extracting(LeadershipRecord::reason)
                .contains(LossReason.EXPIRED)
                .doesNotContain(LossReason.ABDICATED);
    }

    @Test
    void people_can_read_who_leads() {
        String text = RecordText.write(new StoredElection("w", NOW, StoredElection.Ends.NONE, eventful(), List.of()));
        assertThat(text)
                .startsWith("format=2\n")
                .contains("lease.node=id=b\\naddress=b:80 \\\\\\\\ \\\\n x\\napplication=shop\n")
                .contains("lease.until=2027-01-15T08:00:33Z\n");
    }

    @Test
    void a_summary_names_the_holder_and_the_latest_news() {
        List<StoredElection.News> news =
                List.of(new StoredElection.News("first", NOW, "a"), new StoredElection.News("second", NOW, "b"));
        StoredElection stored = new StoredElection("w", NOW, StoredElection.Ends.NONE, eventful(), news);
        ElectionRecord.Lease lease = Objects.requireNonNull(stored.record().lease());
        assertThat(RecordSummary.of(RecordText.write(stored)))
                .contains(new RecordSummary(
                        new RecordSummary.Holder(
                                "b",
                                lease.token(),
                                Instant.ofEpochMilli(lease.since()),
                                Duration.ofMillis(lease.length()),
                                Instant.ofEpochMilli(lease.ends())),
                        "second"));
        StoredElection empty = new StoredElection("w", NOW, StoredElection.Ends.NONE, ElectionRecord.EMPTY, List.of());
        assertThat(RecordSummary.of(RecordText.write(empty))).contains(new RecordSummary(null, ""));
        assertThat(RecordSummary.of("token=1\nstore=\nsince=0\n")).isEmpty();
        assertThat(RecordSummary.of("format=3\n")).isEmpty();
    }

    @Test
    void a_summary_of_messages_names_the_latest() {
        assertThat(RecordSummary.of("messages 1\na 7 1800000000000 text\nb 3 1800000000000 "))
                .contains(new RecordSummary(null, "b.3"));
        assertThat(RecordSummary.of("messages 1\nspoilt")).isEmpty();
        assertThat(RecordSummary.of("messages 2\na 7")).isEmpty();
    }

    @Test
    void a_newer_format_is_refused_by_its_name() {
        assertThatThrownBy(() -> RecordText.read("format=3\nsomething=else\n"))
                .isInstanceOf(NewerFormatException.class)
                .hasMessageContaining("format 3");
    }

    @Test
    void what_is_no_record_is_refused() {
        for (String text : List.of("", "x", "format=1", "format=1\nwrite=w\ntime=soon", "format=one\nwrite=w")) {
            assertThatThrownBy(() -> RecordText.read(text)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    /** A led and was evicted, b leads, c of another application waits. */
    private ElectionRecord eventful() {
        Candidate a = new Candidate("e", "a.1", new NodeInfo("a", "a:80"));
        Candidate b = new Candidate("e", "b.1", new NodeInfo("b", "b:80 \\ \n x", "shop"));
        Candidate c = new Candidate("e", "c.1", new NodeInfo("c", "", "bank"));
        ElectionRecord record = campaign(ElectionRecord.EMPTY, a, NOW);
        record = campaign(record, a, NOW + 1000);
        FencingToken token = new FencingToken(record.lease().token());
        record = rules.evict(record, new EvictRequest("e", token, Abdication.toAnyone()), at(NOW + 2000))
                .record();
        record = campaign(record, b, NOW + 18_000);
        record = campaign(record, c, NOW + 18_000);
        FencingToken second = new FencingToken(record.lease().token());
        assertThat(rules.release(record, new ReleaseRequest(a, null, LEASE, LossReason.STOPPED), at(NOW + 18_000))
                        .record())
                .isEqualTo(record);
        assertThat(record.lease().token()).isEqualTo(second.value());
        return new ElectionRecord(
                record.lease(),
                record.epoch(),
                new ElectionRecord.LockDelay(NOW + 20_000, 2000, new ElectionRecord.Reserved("d")),
                record.queue(),
                record.history());
    }

    private ElectionRecord campaign(ElectionRecord record, Candidate candidate, long millis) {
        CampaignRequest request = new CampaignRequest(candidate, LEASE, 0, Duration.ofMillis(50));
        return rules.campaign(record, request, at(millis)).record();
    }

    private static StoreMoment at(long millis) {
        return new StoreMoment(millis, new Incarnation("i", Duration.ofDays(1)));
    }
}
