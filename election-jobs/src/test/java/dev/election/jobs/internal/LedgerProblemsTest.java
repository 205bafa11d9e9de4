package dev.election.jobs.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerProblemsTest {

    private static final NoAnswer FORBIDDEN = new NoAnswer(StoreProblem.FORBIDDEN, "as the test wants it");
    private static final List<String> ELECTIONS =
            IntStream.range(0, 21).mapToObj(i -> "e" + i).toList();

    private final LedgerProblems problems = new LedgerProblems(InstantSource.system());
    private final RunProblems runs = new RunProblems();

    @Test
    void a_problem_of_many_elections_is_one_line_and_one_when_the_last_is_over_and_each_is_known() {
        try (LoggedLines log = new LoggedLines("dev.election.jobs.internal")) {
            ELECTIONS.forEach(election -> problems.openFailed(election, FORBIDDEN, 1));
            assertThat(log.with("")).singleElement().asString().contains("'e0' do not run", "Other elections");
            assertThat(ELECTIONS).allMatch(election -> problems.of(election).isPresent());
            ELECTIONS.forEach(problems::opened);
            assertThat(log.with("")).hasSize(2);
            assertThat(log.with("The ledgers of 21 elections can be read again: the jobs that waited for that run"))
                    .hasSize(1);
            problems.openFailed("e7", FORBIDDEN, 1);
            problems.opened("e7");
            assertThat(log.with("The ledger of the election 'e7' can be read again: the jobs"))
                    .hasSize(1);
        }
    }

    @Test
    void jobs_that_ran_all_the_time_are_not_said_to_run_again() {
        try (LoggedLines log = new LoggedLines("dev.election.jobs.internal")) {
            problems.writeFailed("e", FORBIDDEN, 1);
            problems.written("e");
            assertThat(log.with("The ledger of the election 'e' can be written again"))
                    .singleElement()
                    .asString()
                    .endsWith("again");
        }
    }

    @Test
    void runs_that_can_not_be_recorded_are_one_line_for_all_elections() {
        try (LoggedLines log = new LoggedLines("dev.election.jobs.internal")) {
            ELECTIONS.forEach(election -> runs.failed(election, FORBIDDEN));
            ELECTIONS.forEach(election -> runs.failed(election, FORBIDDEN));
            ELECTIONS.forEach(runs::recorded);
            ELECTIONS.forEach(runs::recorded);
            assertThat(log.with(""))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("of the election 'e0' can't be recorded now"),
                            line -> assertThat(line).isEqualTo("The runs of all jobs are recorded again"));
        }
    }

    @Test
    void what_is_done_after_a_pause_is_done_on_a_thread_with_a_name() {
        assertThat(CompletableFuture.supplyAsync(
                                () -> Thread.currentThread().getName(), LedgerThreads.after(Duration.ofMillis(1)))
                        .join())
                .isEqualTo("election-ledger");
    }
}
