package dev.election.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.NodeInfo;
import dev.election.record.ElectionRecord.Waiting;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.Incarnation;
import dev.election.store.StoreMoment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Places in the queue of a store where each extension is a write. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PlaceTest {

    private static final long LEASE = 15_000;
    private static final int LEASES = 9;
    private static final int CANDIDATES = 9;
    private static final int ROUNDS = 200;

    private final LeaseRules rules = new LeaseRules(5, LEASES);
    private long now = 1_800_000_000_000L;
    private ElectionRecord record = ElectionRecord.EMPTY;

    /** When each place was extended, as the number of a round. */
    private final TreeMap<String, List<Integer>> extended = new TreeMap<>();

    /** Lets a candidate ask, and writes what is worth it. Returns its rank. */
    private int ask(String candidacy, int round) {
        CampaignRequest request = new CampaignRequest(
                new Candidate("e", candidacy, new NodeInfo(candidacy, "")),
                Duration.ofMillis(LEASE),
                0,
                Duration.ofMillis(30));
        Decision<?> decision =
                rules.campaign(record, request, new StoreMoment(now, new Incarnation("i", Duration.ofDays(1))));
        if (!decision.set().isEmpty() || decision.record().isWorthWriting(record, now)) {
            record = decision.record();
            extended.computeIfAbsent(candidacy, first -> new ArrayList<>()).add(round);
        }
        return decision.reply() instanceof Held held ? held.rank().orElseThrow() : -1;
    }

    private void lead() {
        ask("leader", 0);
        now += LEASE;
        ask("leader", 0);
        assertThat(record.lease()).isNotNull();
    }

    private void renew() {
        record = new ElectionRecord(
                record.lease().until(now + LEASE, LEASE),
                record.epoch().until(now + LEASE, LEASE),
                record.lockDelay(),
                record.queue(),
                record.history());
    }

    @Test
    void candidates_keep_their_places_by_a_write_each_fifth_or_sixth_lease_and_not_all_at_once() {
        lead();
        extended.clear();
        for (int round = 0; round < ROUNDS; round++) {
            renew();
            for (int candidate = 0; candidate < CANDIDATES; candidate++) {
                assertThat(ask(Integer.toString(candidate), round)).isEqualTo(candidate);
                now += 100;
            }
            now += LEASE - CANDIDATES * 100;
        }
        int[] written = new int[ROUNDS];
        extended.values().forEach(rounds -> rounds.forEach(round -> written[round]++));
        assertThat(extended).hasSize(CANDIDATES);
        assertThat(extended.values())
                .allSatisfy(rounds -> assertThat(rounds.size()).isBetween(ROUNDS / 6, ROUNDS / 5 + 1));
        assertThat(written[0]).isEqualTo(CANDIDATES);
        for (int round = ROUNDS / 2; round < ROUNDS; round++) {
            assertThat(written[round]).isLessThan(CANDIDATES);
        }
    }

    @Test
    void one_question_of_a_candidate_may_be_lost() {
        lead();
        renew();
        ask("a", 0);
        ask("b", 0);
        for (int round = 1; round < ROUNDS; round++) {
            now += LEASE * 3;
            renew();
            assertThat(ask("a", round)).isZero();
            assertThat(ask("b", round)).isEqualTo(1);
        }
    }

    @Test
    void a_candidate_that_does_not_ask_leaves_after_its_place_has_ended() {
        lead();
        renew();
        ask("a", 0);
        now += LEASE * LEASES - 1;
        renew();
        assertThat(ask("b", 1)).isEqualTo(1);
        now += 1;
        assertThat(record.queue()).extracting(Waiting::candidacy).containsExactly("a", "b");
        assertThat(ask("b", 2)).isZero();
    }
}
