package dev.election.faults.checker;

import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.faults.report.Rounds;
import org.junit.jupiter.api.Test;

class RoundsTest {

    @Test
    void each_round_tells_what_came_of_it_until_the_next_begins() {
        Verdict verdict = new Doctored()
                .leads("a", 1, 0, 5000)
                .fault(0, 1000, 1100, "x")
                .fault(1, 4000, 4100, "x", ORPHANED_LEASE)
                .leads("b", 2, 4600, 9000)
                .fault(2, 8900, 9500, "b", ORPHANED_LEASE)
                .leads("c", 3, 9700, 14_000)
                .judgedAt(14_000);
        assertThat(Rounds.of(verdict).markdown().lines())
                .contains(
                        "| 1 | no | 0 ms | 0 ms | a token 1 | the same |",
                        "| 2 | yes | 400 ms | 0 ms | a token 1 | b token 2 |",
                        "| 3 | no | 0 ms | 700 ms | b token 2 | c token 3 |")
                .anyMatch(
                        line -> line.startsWith("doctored, 3 rounds: two led in 1, for 400 ms at most; without a leader"
                                + " in 1, for 700 ms at most; leader and token stayed in 1;"));
    }
}
