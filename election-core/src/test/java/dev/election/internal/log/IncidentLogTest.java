package dev.election.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.StoreProblem;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class IncidentLogTest {

    private static final FencingToken TOKEN = new FencingToken(7);

    private final IncidentLog incidents = new IncidentLog(() -> "app", "Redis (host:6379)", () -> 3);

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    private Instant now = Instant.EPOCH;

    @Test
    void a_store_that_is_away_is_one_warning_and_one_line_when_all_have_an_answer_again() {
        fail("a", StoreProblem.TIMED_OUT);
        fail("b", StoreProblem.UNREACHABLE);
        fail("b", StoreProblem.LOADING);
        now = now.plusSeconds(9);
        recover("a");
        fail("a", StoreProblem.TIMED_OUT);
        recover("b");
        recover("a");
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith(
                                        "WARN No usable reply from Redis (host:6379): the store does not answer in time"),
                        line -> assertThat(line)
                                .isEqualTo(
                                        "INFO Redis (host:6379) replies again after 9 s. Elections of app that were affected: 2 of 3"));
    }

    @Test
    void the_next_incident_is_told_again() {
        fail("a", StoreProblem.TIMED_OUT);
        recover("a");
        fail("a", StoreProblem.TIMED_OUT);
        recover("a");
        assertThat(lines()).hasSize(4);
    }

    @Test
    void a_problem_that_wants_something_else_done_is_told_once_in_an_incident() {
        fail("a", StoreProblem.UNREACHABLE);
        fail("a", StoreProblem.UNAUTHENTICATED);
        fail("b", StoreProblem.UNAUTHENTICATED);
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains(StoreProblem.UNREACHABLE.action()),
                        line -> assertThat(line).contains(StoreProblem.UNAUTHENTICATED.action()));
    }

    @Test
    void the_action_is_the_one_that_the_store_has_said() {
        fail("a", StoreProblem.WRONG_TYPE, "drop the table");
        fail("a", StoreProblem.FORBIDDEN, "grant SELECT");
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .startsWith(
                                        "WARN Redis (host:6379) rejects the requests of election 'a': drop the table."),
                        line -> assertThat(line)
                                .startsWith("WARN No usable reply from Redis (host:6379): grant SELECT."));
    }

    @Test
    void a_key_that_holds_something_else_is_a_matter_of_its_election_and_hides_no_incident_of_the_store() {
        fail("a", StoreProblem.WRONG_TYPE);
        fail("b", StoreProblem.WRONG_TYPE);
        assertThat(lines()).hasSize(2);
        fail("a", StoreProblem.UNREACHABLE);
        fail("c", StoreProblem.UNREACHABLE);
        recover("c");
        assertThat(lines()).last().asString().contains("Redis (host:6379) replies again");
        fail("c", StoreProblem.UNREACHABLE);
        assertThat(lines()).last().asString().contains("No usable reply from Redis (host:6379)");
        recover("c");
        recover("a");
        assertThat(lines())
                .last()
                .asString()
                .isEqualTo("INFO Redis (host:6379) accepts the requests of election 'a' again");
    }

    @Test
    void an_election_that_was_left_meanwhile_is_not_waited_for() {
        fail("a", StoreProblem.UNREACHABLE);
        fail("b", StoreProblem.UNREACHABLE);
        lose("a", LossReason.ABDICATED);
        recover("b");
        assertThat(lines()).hasSize(2).last().asString().contains("Redis (host:6379) replies again");
        recover("a");
        assertThat(lines()).hasSize(2);
    }

    @Test
    void an_outage_names_the_first_election_that_knows_no_leader_and_no_other() {
        assertThat(incidents.isLoggedAsLeaderless("a")).as("no outage").isTrue();
        assertThat(incidents.isLoggedAsLeaderless("b")).as("no outage").isTrue();
        fail("a", StoreProblem.UNREACHABLE);
        fail("b", StoreProblem.UNREACHABLE);
        assertThat(incidents.isLoggedAsLeaderless("a")).isTrue();
        assertThat(incidents.isLoggedAsLeaderless("b")).isFalse();
        recover("a");
        recover("b");
        fail("b", StoreProblem.UNREACHABLE);
        assertThat(incidents.isLoggedAsLeaderless("b")).isTrue();
    }

    @Test
    void the_end_of_an_outage_in_which_this_node_has_left_its_only_election_is_logged() {
        fail("a", StoreProblem.UNREACHABLE);
        lose("a", LossReason.ABDICATED);
        recover("a");
        assertThat(lines()).hasSize(2).last().asString().contains("Redis (host:6379) replies again");
    }

    @Test
    void leases_at_risk_are_one_warning_and_one_line_when_the_last_is_renewed() {
        risk("a");
        risk("b");
        risk("c");
        secure("a");
        lose("b", LossReason.EXPIRED);
        secure("c");
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("WARN app has not renewed its lease of the election 'a'"),
                        line -> assertThat(line)
                                .startsWith("INFO app has renewed its lease")
                                .endsWith("renewed: 2"));
    }

    @Test
    void leases_that_were_all_lost_were_not_renewed() {
        risk("a");
        lose("a", LossReason.EXPIRED);
        assertThat(lines()).hasSize(1);
        risk("a");
        assertThat(lines()).hasSize(2);
    }

    private void fail(String election, StoreProblem problem) {
        fail(election, problem, problem.action());
    }

    private void fail(String election, StoreProblem problem, String action) {
        incidents.failed(new LeadershipEvent.StoreFailed(election, now, problem, "as the test wants it", action));
    }

    private void recover(String election) {
        incidents.recovered(new LeadershipEvent.StoreRecovered(election, now));
    }

    private void risk(String election) {
        incidents.atRisk(new LeadershipEvent.LeaseAtRisk(election, now, TOKEN, Duration.ofSeconds(1)));
    }

    private void secure(String election) {
        incidents.secured(new LeadershipEvent.LeaseSecured(election, now, TOKEN));
    }

    private void lose(String election, LossReason reason) {
        incidents.lost(new LeadershipEvent.Lost(election, now, TOKEN, reason, Duration.ZERO));
    }

    private List<String> lines() {
        return log.withLevels();
    }
}
