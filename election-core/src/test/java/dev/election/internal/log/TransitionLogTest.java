package dev.election.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AssignedRole;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.StoreProblem;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransitionLogTest {

    private static final FencingToken TOKEN = new FencingToken(7);
    private static final List<String> ELECTIONS = List.of("e1", "e2", "e3");
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

    private int elections = 1;

    /** What is to be done a second later. */
    private final List<Runnable> later = new ArrayList<>();

    private final TransitionLog transitions = new TransitionLog(
            () -> "app", "Redis (host:6379)", "election.redis.key-prefix", () -> elections, Map.of(), later::add);

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election");

    @Test
    void a_change_of_role_is_one_line() {
        transitions.onEvent(new LeadershipEvent.RoleChanged("e", NOW, AssignedRole.OBSERVER));
        transitions.onEvent(new LeadershipEvent.RoleChanged("e", NOW, AssignedRole.CANDIDATE));
        assertThat(lines())
                .containsExactly(
                        "INFO app is an observer of the election 'e' from now on: it does not campaign",
                        "INFO app is a candidate in the election 'e' from now on");
    }

    @ParameterizedTest
    @EnumSource
    void a_loss_that_nobody_wanted_is_a_warning_with_its_reason_in_words(LossReason reason) {
        transitions.onEvent(new LeadershipEvent.Lost("e", NOW, TOKEN, reason, Duration.ofSeconds(90)));
        boolean isWanted =
                reason == LossReason.ABDICATED || reason == LossReason.PREEMPTED || reason == LossReason.STOPPED;
        assertThat(lines())
                .singleElement()
                .asString()
                .startsWith((isWanted ? "INFO" : "WARN") + " app no longer leads the election 'e' (" + reason
                        + (isWanted ? ")" : ": "))
                .endsWith("after 1 min 30 s with token 7");
    }

    @Test
    void a_loss_says_whether_the_process_was_paused_or_the_store_did_not_answer() {
        for (LossReason reason : List.of(LossReason.EXPIRED, LossReason.STORE_ERROR)) {
            transitions.onEvent(new LeadershipEvent.Lost("e", NOW, TOKEN, reason, Duration.ofMinutes(2)));
        }
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains(
                                        "(EXPIRED: it was paused for longer than its lease, or the store no longer had"
                                                + " the lease)"),
                        line -> assertThat(line)
                                .contains("(STORE_ERROR: requests to the store failed or were not answered until its"
                                        + " lease ended)"));
    }

    @Test
    void the_line_of_a_node_that_gives_up_says_who_asked() {
        transitions.onEvent(new LeadershipEvent.Resigning("e", NOW, TOKEN, LossReason.ABDICATED, "alice at n-2"));
        transitions.onEvent(new LeadershipEvent.Resigning("e", NOW, TOKEN, LossReason.PREEMPTED, "n-3 should lead"));
        transitions.onEvent(new LeadershipEvent.Resigning("e", NOW, TOKEN, LossReason.STOPPED));
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line).contains("(ABDICATED, requested by alice at n-2)"),
                        line -> assertThat(line).contains("(PREEMPTED: n-3 should lead)"),
                        line -> assertThat(line).contains("(STOPPED)"));
    }

    @Test
    void the_time_since_the_last_renewal_that_was_known_is_not_said_to_be_one_without_a_leader() {
        follow("n-1", 7);
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", NOW, NOW.minusSeconds(15)));
        transitions.onEvent(new LeadershipEvent.Acquired("e", NOW.plusMillis(20), leader("app", 8)));
        assertThat(lines())
                .last()
                .asString()
                .endsWith(
                        "leads the election 'e' with token 8, 15 s after the last renewal of n-1 that this node knows of");
    }

    @Test
    void a_node_that_has_known_no_leader_before_says_nothing_of_the_time_without_one() {
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", NOW.minusSeconds(2)));
        follow("n-1", 7);
        transitions.onEvent(new LeadershipEvent.ElectionStarted("f", NOW.minusSeconds(2)));
        transitions.onEvent(new LeadershipEvent.Acquired("f", NOW, leader("app", 8)));
        assertThat(lines())
                .containsExactly(
                        "INFO app follows n-1 at n-1:80 in the election 'e', token 7",
                        "INFO app leads the election 'f' with token 8");
    }

    @Test
    void a_node_that_has_led_counts_from_the_end_of_its_lease() {
        transitions.onEvent(new LeadershipEvent.Acquired("e", NOW, leader("app", 7)));
        transitions.onEvent(
                new LeadershipEvent.Lost("e", NOW.plusSeconds(9), TOKEN, LossReason.EXPIRED, Duration.ofSeconds(9)));
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e", NOW.plusSeconds(9), Optional.empty()));
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", NOW.plusSeconds(9), NOW.plusSeconds(5)));
        transitions.onEvent(new LeadershipEvent.Acquired("e", NOW.plusSeconds(10), leader("app", 8)));
        assertThat(lines()).last().asString().endsWith("with token 8, after at most 5 s without a leader");
    }

    @Test
    void a_node_that_has_given_up_counts_from_that() {
        transitions.onEvent(new LeadershipEvent.Acquired("e", NOW, leader("app", 7)));
        transitions.onEvent(
                new LeadershipEvent.Lost("e", NOW.plusSeconds(1), TOKEN, LossReason.ABDICATED, Duration.ofSeconds(1)));
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e", NOW.plusSeconds(1), Optional.empty()));
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", NOW.plusSeconds(3)));
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e", NOW.plusSeconds(3), Optional.of(leader("n-1", 8))));
        assertThat(lines()).last().asString().endsWith("token 8, after at most 2 s without a leader");
    }

    @Test
    void a_follower_says_once_that_nobody_leads_and_then_who_leads_again() {
        follow("n-1", 7);
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e", NOW, Optional.empty()));
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", NOW, NOW.minusSeconds(20)));
        follow("n-1", 7);
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("INFO app follows n-1"),
                        line -> assertThat(line)
                                .isEqualTo(
                                        "INFO app knows no leader of the election 'e': n-1 (token 7) has not been known to"
                                                + " renew its lease for 20 s"),
                        line -> assertThat(line)
                                .as("a leader that has led all the time")
                                .isEqualTo("INFO app follows n-1 at n-1:80 in the election 'e', token 7, as before"));
    }

    @Test
    void a_hand_over_and_a_leader_that_was_replaced_at_once_are_one_line() {
        follow("n-1", 7);
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e", NOW, Optional.empty()));
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", NOW));
        follow("n-2", 8);
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", NOW, NOW.minusSeconds(15)));
        follow("n-3", 9);
        assertThat(lines()).hasSize(3).allMatch(line -> line.startsWith("INFO app follows n-"));
    }

    @Test
    void a_follower_in_an_outage_says_it_for_one_election_only() {
        for (String election : List.of("e", "f")) {
            transitions.onEvent(new LeadershipEvent.LeaderChanged(election, NOW, Optional.of(leader("n-1", 7))));
            transitions.onEvent(new LeadershipEvent.StoreFailed(election, NOW, StoreProblem.UNREACHABLE, "away"));
        }
        log.clear();
        for (String election : List.of("e", "f")) {
            transitions.onEvent(new LeadershipEvent.LeaderChanged(election, NOW, Optional.empty()));
            transitions.onEvent(new LeadershipEvent.ElectionStarted(election, NOW, NOW.minusSeconds(20)));
        }
        assertThat(lines())
                .singleElement()
                .asString()
                .startsWith("INFO app knows no leader of the election 'e' while the store does not answer");
    }

    @Test
    void after_an_outage_a_follower_says_who_leads_the_election_of_which_it_said_that_it_knows_no_leader() {
        for (String election : List.of("e", "f")) {
            transitions.onEvent(new LeadershipEvent.LeaderChanged(election, NOW, Optional.of(leader("n-1", 7))));
            transitions.onEvent(new LeadershipEvent.StoreFailed(election, NOW, StoreProblem.UNREACHABLE, "away"));
            transitions.onEvent(new LeadershipEvent.LeaderChanged(election, NOW, Optional.empty()));
            transitions.onEvent(new LeadershipEvent.ElectionStarted(election, NOW, NOW.minusSeconds(3)));
        }
        log.clear();
        for (String election : List.of("e", "f")) {
            transitions.onEvent(new LeadershipEvent.LeaderChanged(election, NOW, Optional.of(leader("n-1", 7))));
        }
        assertThat(lines()).singleElement().asString().startsWith("INFO app follows n-1 at n-1:80 in the election 'e'");
    }

    @Test
    void the_time_without_a_leader_does_not_reach_back_into_an_earlier_outage() {
        follow("n-1", 7);
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e", NOW, Optional.empty()));
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", NOW, NOW.minusSeconds(20)));
        follow("n-1", 7);
        Instant later = NOW.plus(Duration.ofHours(3));
        transitions.onEvent(new LeadershipEvent.ElectionStarted("e", later, later.minusSeconds(2)));
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e", later, Optional.of(leader("n-2", 8))));
        assertThat(lines())
                .last()
                .asString()
                .endsWith("token 8, 2 s after the last renewal of n-1 that this node knows of");
    }

    @Test
    void a_few_elections_have_a_line_each() {
        elections = 5;
        transitions.onEvent(new LeadershipEvent.Acquired("e", NOW, leader("app", 7)));
        transitions.onEvent(new LeadershipEvent.Acquired("f", NOW, leader("app", 8)));

        assertThat(lines()).hasSize(2).last().asString().contains("leads the election 'f' with token 8");
        assertThat(later).isEmpty();
    }

    @Test
    void elections_that_change_together_share_a_line_after_that_of_the_first() {
        elections = 6;
        Instant lost = NOW.plusSeconds(60);
        for (String election : ELECTIONS) {
            transitions.onEvent(new LeadershipEvent.Acquired(election, NOW, leader("app", 7)));
        }
        passASecond();
        for (String election : ELECTIONS) {
            transitions.onEvent(
                    new LeadershipEvent.Lost(election, lost, TOKEN, LossReason.STORE_ERROR, Duration.ofSeconds(60)));
        }
        passASecond();
        for (String election : ELECTIONS) {
            transitions.onEvent(new LeadershipEvent.ElectionStarted(election, lost, lost));
            transitions.onEvent(
                    new LeadershipEvent.LeaderChanged(election, lost.plusSeconds(5), Optional.of(leader("n-2", 8))));
        }
        passASecond();
        assertThat(lines())
                .satisfiesExactly(
                        line -> assertThat(line).isEqualTo("INFO app leads the election 'e1' with token 7"),
                        line -> assertThat(line)
                                .isEqualTo("INFO app leads 2 more elections: 'e2' (token 7), 'e3' (token 7)"),
                        line -> assertThat(line)
                                .startsWith("WARN app no longer leads the election 'e1' (STORE_ERROR: requests"),
                        line -> assertThat(line)
                                .isEqualTo(
                                        "WARN app no longer leads 2 more elections (STORE_ERROR): 'e2' (token 7), 'e3' (token 7)"),
                        line -> assertThat(line)
                                .isEqualTo("INFO app follows n-2 at n-2:80 in the election 'e1', token 8, after at most"
                                        + " 5 s without a leader"),
                        line -> assertThat(line)
                                .isEqualTo(
                                        "INFO app follows n-2 at n-2:80 in 2 more elections: 'e2' (token 8), 'e3' (token 8)"));
    }

    @Test
    void an_election_that_changes_later_or_again_or_otherwise_has_a_line_of_its_own() {
        elections = 6;
        transitions.onEvent(new LeadershipEvent.Acquired("e1", NOW, leader("app", 7)));
        passASecond();
        transitions.onEvent(new LeadershipEvent.Acquired("e2", NOW, leader("app", 8)));
        transitions.onEvent(new LeadershipEvent.Acquired("e2", NOW, leader("app", 9)));
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e3", NOW, Optional.of(leader("n-2", 7))));
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e4", NOW, Optional.of(leader("n-3", 7))));
        passASecond();
        assertThat(lines()).hasSize(5).noneMatch(line -> line.contains("more election"));
    }

    @Test
    void a_second_that_ended_early_does_not_shorten_the_next_one() {
        elections = 6;
        transitions.onEvent(new LeadershipEvent.Acquired("e1", NOW, leader("app", 7)));
        Runnable first = later.remove(0);
        transitions.onEvent(new LeadershipEvent.Acquired("e1", NOW, leader("app", 8)));
        transitions.onEvent(new LeadershipEvent.Acquired("e2", NOW, leader("app", 8)));
        first.run();
        transitions.onEvent(new LeadershipEvent.Acquired("e3", NOW, leader("app", 8)));
        assertThat(lines()).hasSize(2);
        passASecond();
        assertThat(lines()).last().isEqualTo("INFO app leads 2 more elections: 'e2' (token 8), 'e3' (token 8)");
    }

    @Test
    void partitions_that_move_together_are_one_line_with_their_numbers_and_how_many_the_node_leads() {
        TransitionLog partitioned = partitioned();
        for (int index : List.of(10, 2, 0)) {
            partitioned.onEvent(new LeadershipEvent.Acquired("orders." + index, NOW, leader("app", 7)));
        }
        partitioned.onEvent(new LeadershipEvent.Acquired("other.1", NOW, leader("app", 7)));
        assertThat(lines()).containsExactly("INFO app leads the election 'other.1' with token 7");
        passASecond();
        for (String lost : List.of("orders.2", "orders.10")) {
            partitioned.onEvent(new LeadershipEvent.Lost(lost, NOW, TOKEN, LossReason.STOPPED, Duration.ofSeconds(1)));
        }
        passASecond();
        partitioned.onEvent(
                new LeadershipEvent.LeaderChanged("orders.2", NOW.plusSeconds(1), Optional.of(leader("n-2", 8))));
        passASecond();
        assertThat(lines())
                .containsExactly(
                        "INFO app leads the election 'other.1' with token 7",
                        "INFO app leads 3 partitions of 'orders': 0, 2, 10. It leads 3 of 16 now",
                        "INFO app no longer leads 2 partitions of 'orders' (STOPPED): 2, 10. It leads 1 of 16 now",
                        "INFO app follows n-2 at n-2:80 in 1 partition of 'orders': 2. It leads 1 of 16 now");
    }

    @Test
    void few_partitions_have_a_line_each() {
        TransitionLog partitioned = partitioned();
        partitioned.onEvent(new LeadershipEvent.Acquired("bills.0", NOW, leader("app", 7)));
        assertThat(lines()).containsExactly("INFO app leads the election 'bills.0' with token 7");
    }

    /** The log of a node with one other election. */
    private TransitionLog partitioned() {
        return new TransitionLog(
                () -> "app", "Redis (host:6379)", "prefix", () -> 22, Map.of("orders", 16, "bills", 5), later::add);
    }

    @Test
    void a_node_that_stops_logs_at_once_what_waits() {
        elections = 6;
        for (String election : ELECTIONS) {
            transitions.onEvent(
                    new LeadershipEvent.Lost(election, NOW, TOKEN, LossReason.STOPPED, Duration.ofSeconds(1)));
        }
        transitions.close();
        assertThat(lines()).hasSize(2).last().asString().contains("2 more elections (STOPPED): 'e2'");
        passASecond();
        assertThat(lines()).hasSize(2);
        for (String election : ELECTIONS) {
            transitions.onEvent(new LeadershipEvent.Acquired(election, NOW, leader("app", 7)));
        }
        assertThat(lines()).as("of a listener that hears late").hasSize(2 + ELECTIONS.size());
    }

    @Test
    void an_election_has_its_lines_in_the_order_of_what_happened_also_where_it_shares_one() {
        elections = 6;
        resign("e1");
        resign("e2");
        lose("e2");
        passASecond();
        lose("e3");
        resign("e4");
        resign("e5");
        lose("e5");
        passASecond();
        assertThat(lines().stream()
                        .map(line -> line.replaceAll(" \\(STOPPED.*", ""))
                        .toList())
                .containsExactly(
                        "INFO app resigns from the election 'e1'",
                        "INFO app resigns from 1 more election",
                        "INFO app no longer leads the election 'e2'",
                        "INFO app no longer leads the election 'e3'",
                        "INFO app resigns from the election 'e4'",
                        "INFO app resigns from 1 more election",
                        "INFO app no longer leads 1 more election");
    }

    @Test
    void an_election_that_is_led_again_while_it_waits_for_a_shared_line_has_that_line_before_its_own() {
        elections = 6;
        for (String election : List.of("e1", "e2")) {
            transitions.onEvent(new LeadershipEvent.Acquired(election, NOW, leader("app", 7)));
        }
        lose("e3");
        lose("e4");
        transitions.onEvent(new LeadershipEvent.Acquired("e4", NOW, leader("app", 8)));
        passASecond();
        assertThat(lines())
                .containsSubsequence(
                        "INFO app leads 1 more election: 'e2' (token 7)",
                        "INFO app no longer leads 1 more election (STOPPED): 'e4' (token 7)",
                        "INFO app leads the election 'e4' with token 8, after at most 0 ms without a leader");
    }

    private void resign(String election) {
        transitions.onEvent(new LeadershipEvent.Resigning(election, NOW, TOKEN, LossReason.STOPPED));
    }

    private void lose(String election) {
        transitions.onEvent(new LeadershipEvent.Lost(election, NOW, TOKEN, LossReason.STOPPED, Duration.ofSeconds(1)));
    }

    private void passASecond() {
        List<Runnable> due = List.copyOf(later);
        later.clear();
        due.forEach(Runnable::run);
    }

    private void follow(String node, long token) {
        transitions.onEvent(new LeadershipEvent.LeaderChanged("e", NOW, Optional.of(leader(node, token))));
    }

    private static Leader leader(String node, long token) {
        return new Leader(node, node + ":80", new FencingToken(token), NOW);
    }

    private List<String> lines() {
        return log.withLevels();
    }
}
