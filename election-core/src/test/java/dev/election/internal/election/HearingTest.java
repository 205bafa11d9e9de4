package dev.election.internal.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.ReleaseReply;
import dev.election.store.StoreEvent;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** For how long a candidate lets a store without a record wait, by whether it hears what the store tells. */
class HearingTest {

    private static final Duration PATIENCE = ElectionFixture.LEASE.dividedBy(6);
    private static final Duration SETTLE = Duration.ofSeconds(1);

    private final ElectionFixture fixture = ElectionFixture.started();
    private final ScriptedStore store = fixture.store;

    @Test
    void until_the_store_says_whether_it_tells_a_candidate_begins_no_settle_time() {
        assertThat(store.campaigns.remove().request().settle()).isNull();
    }

    @Test
    void a_candidate_whose_subscription_is_confirmed_asks_at_once_for_the_settle_time_of_the_store() {
        waitFor(ElectionFixture.LEASE);
        hear(new StoreEvent.Connected());
        assertThat(next().settle()).isEqualTo(SETTLE);
    }

    @Test
    void a_candidate_whose_subscription_is_confirmed_before_its_first_answer_does_not_wait_for_that() {
        hear(new StoreEvent.Connected());
        waitFor(ElectionFixture.LEASE);
        assertThat(store.campaigns).hasSize(1);
        assertThat(next().settle()).isEqualTo(SETTLE);
    }

    /** Its own roll call comes back before the answer to the question that made the store call. */
    @Test
    void a_candidate_does_not_take_the_answer_to_its_first_question_for_that_to_its_second() {
        hear(new StoreEvent.Connected());
        waitFor(ElectionFixture.LEASE);
        hear(new StoreEvent.RollCall());
        waitFor(SETTLE);
        assertThat(store.campaigns).isEmpty();
        fixture.pass(SETTLE.plusMillis(2));
        assertThat(store.campaigns).hasSize(1);
    }

    @Test
    void a_candidate_whose_subscription_is_refused_asks_at_once_for_a_whole_lease() {
        waitFor(ElectionFixture.LEASE);
        hear(new StoreEvent.Refused());
        assertThat(next().settle()).isEqualTo(ElectionFixture.LEASE);
    }

    @Test
    void a_candidate_whose_subscription_is_not_confirmed_in_time_asks_for_a_whole_lease() {
        waitFor(ElectionFixture.LEASE);
        fixture.pass(PATIENCE.minusNanos(1));
        assertThat(store.campaigns).isEmpty();
        fixture.pass(Duration.ofMillis(2));
        assertThat(next().settle()).isEqualTo(ElectionFixture.LEASE);
    }

    @Test
    void a_subscription_that_comes_late_counts_from_then_on() {
        waitFor(ElectionFixture.LEASE);
        fixture.pass(PATIENCE.plusMillis(1));
        waitFor(Duration.ZERO);
        hear(new StoreEvent.Connected());
        assertThat(store.campaigns.getLast().request().settle()).isEqualTo(SETTLE);
    }

    @Test
    void another_connection_for_requests_says_nothing_about_events() {
        waitFor(ElectionFixture.LEASE);
        hear(StoreEvent.Connected.anew(0));
        assertThat(next().settle()).isEqualTo(ElectionFixture.LEASE);
    }

    @Test
    void the_settle_time_is_no_longer_than_a_lease() {
        ScriptedStore patient = new ScriptedStore(ScriptedStore.TRAITS.settlingFor(Duration.ofDays(1)));
        ElectionFixture started = ElectionFixture.startedOver(patient);
        patient.event(new StoreEvent.Connected());
        started.loop.settle();
        assertThat(patient.campaigns.getLast().request().settle()).isEqualTo(ElectionFixture.LEASE);
    }

    @Test
    void a_node_that_starts_again_finds_out_anew() {
        hear(new StoreEvent.Connected());
        fixture.election.stop();
        fixture.loop.settle();
        store.releases.remove().answer(new ReleaseReply.NotHeld());
        store.campaigns.clear();
        fixture.election.start(ElectionFixture.IDENTITY);
        fixture.loop.settle();
        assertThat(store.campaigns.getLast().request().settle()).isNull();
    }

    private void waitFor(Duration time) {
        fixture.answerCampaign(new Wait(time, 0));
    }

    private void hear(StoreEvent event) {
        store.event(event);
        fixture.loop.settle();
    }

    private CampaignRequest next() {
        return store.campaigns.remove().request();
    }
}
