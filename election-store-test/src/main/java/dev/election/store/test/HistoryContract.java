package dev.election.store.test;

import static dev.election.LossReason.ABDICATED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.Candidate;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.ReleaseRequest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The contract of stores that keep a history, of {@link #HISTORY} leaderships in this test ({@link LeaseStore#leadershipsKept}). */
public interface HistoryContract extends LeaseStoreFixture {

    @Test
    default void the_history_tells_how_each_leadership_ended_the_latest_first() {
        Granted first = lead(a(), LONG_LEASE);
        release(a(), first);
        Granted second = (Granted) campaign(b());
        pass(LEASE.plusMillis(2));
        assertThat(view().leaderships().get(0))
                .as("a leader that died, before anybody has taken over")
                .satisfies(term -> assertThat(term.reason()).isEqualTo(LossReason.EXPIRED));
        Granted third = (Granted) campaign(c(), LONG_LEASE, 0);
        LossReason endOfThird = endByForceIfPossible(c(), third);
        Granted last = (Granted) campaign(a(), LONG_LEASE, 0);
        List<LeadershipRecord> leaderships = view().leaderships();
        assertThat(leaderships)
                .extracting(term -> term.leader().token())
                .containsExactly(last.token(), third.token(), second.token(), first.token());
        assertThat(leaderships).extracting(term -> term.leader().node()).containsExactly("a", "c", "b", "a");
        assertThat(leaderships)
                .extracting(LeadershipRecord::reason)
                .containsExactly(null, endOfThird, LossReason.EXPIRED, ABDICATED);
        assertThat(leaderships.get(2).until()).isEqualTo(second.expiry());
        assertThat(leaderships.get(0).until()).isNull();
        assertThat(leaderships.get(3).until()).isAfterOrEqualTo(first.since()).isBeforeOrEqualTo(second.since());
    }

    @Test
    default void the_history_tells_who_asked_for_the_end() {
        String requester = "Zoë \\ ops at n-2";
        Granted first = lead(a(), LONG_LEASE);
        ask(store().release(new ReleaseRequest(
                a(),
                new ReleaseRequest.Grant(first.token(), first.expiry()),
                LONG_LEASE,
                to(null, Duration.ZERO).requestedBy(requester),
                ABDICATED)));
        Granted second = (Granted) campaign(b(), LONG_LEASE, 0);
        assertThat(view().leaderships())
                .extracting(LeadershipRecord::requestedBy)
                .containsExactly(null, requester);
        assertThat(view().leaderships())
                .extracting(term -> term.leader().address())
                .doesNotContainNull();
        store().eviction().ifPresent(eviction -> {
            ask(eviction.evict(new EvictRequest(
                    election(), second.token(), to(null, Duration.ZERO).requestedBy("bob"))));
            assertThat(view().leaderships())
                    .extracting(LeadershipRecord::requestedBy)
                    .containsExactly("bob", requester);
        });
    }

    @Test
    default void a_lease_that_was_forgotten_and_came_back_is_in_the_history_once() {
        Granted grant = lead(a(), LONG_LEASE);
        forget();
        renew(a(), grant, LONG_LEASE);
        loseLease();
        renew(a(), grant, LONG_LEASE);
        assertThat(view().leaderships()).singleElement().satisfies(term -> {
            assertThat(term.leader().token()).isEqualTo(grant.token());
            assertThat(term.leader().since()).isEqualTo(grant.since());
            assertThat(term.until()).isNull();
        });
        release(a(), grant);
        assertThat(view().leaderships())
                .singleElement()
                .extracting(LeadershipRecord::reason)
                .isEqualTo(ABDICATED);
    }

    @Test
    default void the_history_keeps_the_last_leaderships_only() {
        Granted grant = lead(a(), LONG_LEASE);
        for (int i = 0; i < HISTORY; i++) {
            release(a(), grant);
            grant = (Granted) campaign(a(), LONG_LEASE, 0);
        }
        assertThat(store().leadershipsKept()).isEqualTo(HISTORY);
        assertThat(view().leaderships()).hasSize(HISTORY);
        assertThat(view().leaderships().get(0).leader().token()).isEqualTo(grant.token());
    }

    /** Ends a leadership, by an eviction if the store has that capability, and returns the reason that the history must show. */
    private LossReason endByForceIfPossible(Candidate candidate, Granted grant) {
        Optional<Eviction> eviction = store().eviction();
        if (eviction.isEmpty()) {
            release(candidate, grant);
            return ABDICATED;
        }
        ask(eviction.get().evict(new EvictRequest(election(), grant.token(), to(null, Duration.ZERO))));
        return LossReason.EVICTED;
    }
}
