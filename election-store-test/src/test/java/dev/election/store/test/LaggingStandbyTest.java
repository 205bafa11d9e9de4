package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordLedgerStore;
import dev.election.record.RecordStore;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReleaseRequest;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A standby that lags is promoted between the reading of a text and the writing that rests on it. */
class LaggingStandbyTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    private final InMemoryRecordStore records = InMemoryRecordStore.withClock(millis::get);
    private final LeaseStore a = process();
    private final LeaseStore b = process();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_grant_does_not_count_that_lands_on_the_standby(boolean tellsIncarnation) {
        tell(tellsIncarnation);
        leadOnce();
        records.detachStandby();
        records.beforeNextChange(this::grantAndPromote);
        assertUnknown(campaign(a, "a"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_grant_does_not_count_that_rests_on_the_answer_of_a_conflict(boolean tellsIncarnation) {
        tell(tellsIncarnation);
        leadOnce();
        records.beforeNextChange(() -> {
            RecordStore.Stored read = Objects.requireNonNull(records.find("e"));
            records.put("e", new RecordStore.Stored(read.text(), "7"));
            records.detachStandby();
            records.beforeNextChange(this::grantAndPromote);
        });
        assertUnknown(campaign(a, "a"));
    }

    @Test
    void a_grant_counts_over_a_connection_that_is_older_than_the_reading() {
        tell(false);
        leadOnce();
        records.promoteStandby();
        assertThat(campaign(a, "a")).isInstanceOf(Wait.class);
        pass(LEASE.minusMillis(1));
        assertThat(campaign(a, "a")).isInstanceOf(Wait.class);
        pass(Duration.ofMillis(1));
        assertThat(campaign(a, "a")).isInstanceOf(Granted.class);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void a_claim_in_a_ledger_is_not_confirmed_that_lands_on_the_standby(boolean tellsIncarnation) {
        tell(tellsIncarnation);
        LedgerStore ledger = new RecordLedgerStore(records, "ledger/");
        FencingToken token = new FencingToken(10);
        assertThat(ask(ledger.open("e", token))).isInstanceOf(LedgerStore.Opened.class);
        records.detachStandby();
        records.beforeNextChange(() -> {
            assertThat(ask(ledger.beside("other").open("e", token))).isInstanceOf(LedgerStore.Opened.class);
            records.promoteStandby();
        });
        assertUnknown(ask(ledger.write("e", token, Map.of("slot", "claimed"), Set.of())));
    }

    private void tell(boolean incarnation) {
        if (!incarnation) {
            records.hideIncarnation();
            ask(a.read("e"));
            ask(b.read("e"));
            pass(LEASE);
        }
    }

    private LeaseStore process() {
        LeaseRules rules = new LeaseRules(5);
        return new RecordLeaseStore(records, "", rules, () -> millis.get() * 1_000_000, millis::get);
    }

    /** So that there is a record, and nobody holds the lease. */
    private void leadOnce() {
        assertThat(campaign(b, "first")).isInstanceOf(Wait.class);
        pass(Duration.ofMillis(100));
        Granted granted = (Granted) campaign(b, "first");
        ReleaseRequest.Grant grant = new ReleaseRequest.Grant(granted.token(), granted.expiry());
        ask(b.release(new ReleaseRequest(candidate("first"), grant, LEASE, LossReason.ABDICATED)));
    }

    private void grantAndPromote() {
        assertThat(campaign(b, "b")).isInstanceOf(Granted.class);
        records.promoteStandby();
    }

    private void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    private static CampaignReply campaign(LeaseStore process, String node) {
        return ask(process.campaign(new CampaignRequest(candidate(node), LEASE, 0, Duration.ofMillis(50))));
    }

    private static Candidate candidate(String node) {
        return new Candidate("e", node + ".1", new NodeInfo(node, ""));
    }

    private static void assertUnknown(Object reply) {
        assertThat(reply).isInstanceOfSatisfying(NoAnswer.class, none -> {
            assertThat(none.problem()).isEqualTo(StoreProblem.UNREACHABLE);
            assertThat(none.detail()).contains("replaced between reading and writing");
        });
    }

    private static <T> T ask(CompletionStage<T> reply) {
        return reply.toCompletableFuture().join();
    }
}
