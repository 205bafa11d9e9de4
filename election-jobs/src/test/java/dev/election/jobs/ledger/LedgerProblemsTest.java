package dev.election.jobs.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LedgerProblemsTest {

    private static final NoAnswer FORBIDDEN = new NoAnswer(StoreProblem.FORBIDDEN, "as the test wants it");
    private static final List<String> ELECTIONS =
            IntStream.range(0, 21).mapToObj(i -> "e" + i).toList();

    private static final FencingToken TOKEN = new FencingToken(7);
    private static final LedgerStore.Opened OPENED =
            new LedgerStore.Opened(Map.of(), true, Duration.ZERO, Instant.EPOCH);

    private final LedgerProblems problems = new LedgerProblems(InstantSource.system());

    @Test
    void a_problem_of_many_elections_is_one_line_and_one_when_the_last_is_over_and_each_is_known() {
        try (LoggedLines log = new LoggedLines(LedgerProblems.class.getName())) {
            ELECTIONS.forEach(election -> of(election).openFailed(FORBIDDEN, 1));
            assertThat(log.with("")).singleElement().asString().contains("'e0' do not run", "Other elections");
            assertThat(ELECTIONS).allMatch(election -> problems.of(election).isPresent());
            ELECTIONS.forEach(election -> of(election).opened(OPENED));
            assertThat(log.with("")).hasSize(2);
            assertThat(log.with("The ledgers of 21 elections can be read again: the jobs that waited for that run"))
                    .hasSize(1);
            of("e7").openFailed(FORBIDDEN, 1);
            of("e7").opened(OPENED);
            assertThat(log.with("The ledger of the election 'e7' can be read again: the jobs"))
                    .hasSize(1);
        }
    }

    @Test
    void jobs_that_ran_all_the_time_are_not_said_to_run_again() {
        try (LoggedLines log = new LoggedLines(LedgerProblems.class.getName())) {
            of("e").writeFailed(FORBIDDEN, 1);
            of("e").written();
            assertThat(log.with("The ledger of the election 'e' can be written again"))
                    .singleElement()
                    .asString()
                    .endsWith("again");
        }
    }

    @Test
    void each_kind_of_problem_is_logged_with_its_own_action() {
        NoAnswer full = new NoAnswer(StoreProblem.OUT_OF_MEMORY, "as the test wants it");
        try (LoggedLines log = new LoggedLines(LedgerProblems.class.getName())) {
            of("a").openFailed(FORBIDDEN, 1);
            of("b").openFailed(full, 1);
            assertThat(log.with("do not run"))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("'a'", FORBIDDEN.action()),
                            line -> assertThat(line).contains("'b'", full.action()));
            of("a").opened(OPENED);
            assertThat(log.with("The ledger of the election 'a' can be read again"))
                    .hasSize(1);
        }
    }

    @Test
    void a_problem_with_the_keys_of_an_election_is_logged_for_each_election() {
        try (LoggedLines log = new LoggedLines(LedgerProblems.class.getName())) {
            for (String election : List.of("a", "b")) {
                of(election)
                        .openFailed(
                                new NoAnswer(StoreProblem.WRONG_TYPE, "WRONGTYPE", "delete the key of " + election), 1);
            }
            for (String election : List.of("c", "d")) {
                of(election).openFailed(new LedgerStore.Superseded(), 5);
            }
            assertThat(log.with("do not run"))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("'a'").endsWith("Action: delete the key of a"),
                            line -> assertThat(line).contains("'b'").endsWith("Action: delete the key of b"),
                            line -> assertThat(line).contains("'c'").doesNotContain("Other elections"),
                            line -> assertThat(line).contains("'d'").doesNotContain("Other elections"));
        }
    }

    @Test
    void the_problem_of_an_election_that_is_led_no_more_hides_no_later_one_and_is_not_said_to_be_mended() {
        try (LoggedLines log = new LoggedLines(LedgerProblems.class.getName())) {
            of("a").openFailed(FORBIDDEN, 1);
            of("b").openFailed(FORBIDDEN, 1);
            problems.lost("a");
            assertThat(problems.of("a")).isEmpty();
            assertThat(log.with("")).as("the other election still has it").hasSize(1);
            problems.lost("b");
            assertThat(log.with("again")).isEmpty();
            assertThat(log.with("no longer leads"))
                    .containsExactly(
                            "This node no longer leads the election 'b', whose ledger could not be read (FORBIDDEN). No other"
                                    + " election that it leads has this problem");
            of("b").openFailed(FORBIDDEN, 1);
            assertThat(log.with("of the election 'b' do not run")).hasSize(1);
        }
    }

    @Test
    void a_problem_that_gets_worse_is_not_over() {
        try (LoggedLines log = new LoggedLines(LedgerProblems.class.getName())) {
            of("a").writeFailed(FORBIDDEN, 1);
            of("a").jobDoesNotRun();
            assertThat(log.with("no longer leads")).isEmpty();
            problems.lost("a");
            assertThat(log.with("no longer leads the election 'a', whose ledger could not be written (FORBIDDEN)"))
                    .hasSize(1);
        }
    }

    @Test
    void the_end_of_a_problem_counts_only_the_elections_that_were_mended() {
        try (LoggedLines log = new LoggedLines(LedgerProblems.class.getName())) {
            List.of("a", "b", "c").forEach(election -> of(election).openFailed(FORBIDDEN, 1));
            of("a").opened(OPENED);
            of("b").opened(OPENED);
            problems.lost("c");
            assertThat(log.with("again"))
                    .singleElement()
                    .asString()
                    .startsWith("The ledgers of 2 elections can be read again");
        }
    }

    @Test
    void a_store_that_is_away_for_less_than_half_of_a_usual_lease_is_no_problem_of_a_ledger() {
        NoAnswer away = new NoAnswer(StoreProblem.UNREACHABLE, "as the test wants it");
        // After 0, 0.5, 1.5 and 3.5 s.
        for (int failures = 1; failures <= 4; failures++) {
            of("a").openFailed(away, failures);
            of("b").writeFailed(away, failures);
        }
        assertThat(problems.of("a")).isEmpty();
        assertThat(problems.of("b")).isEmpty();
        of("a").openFailed(away, 5);
        of("b").writeFailed(away, 5);
        assertThat(problems.of("a")).isPresent();
        assertThat(problems.of("b")).isPresent();
    }

    @Test
    void an_answer_that_comes_after_the_loss_is_no_problem() {
        problems.lost("a");
        LedgerWatcher late = problems.of(new OwnLeadership("a", TOKEN, () -> false));
        late.openFailed(FORBIDDEN, 1);
        late.writeFailed(FORBIDDEN, 1);
        late.jobDoesNotRun();
        assertThat(problems.of("a")).isEmpty();
    }

    @Test
    void what_is_done_after_a_pause_is_done_on_a_thread_with_a_name() {
        assertThat(CompletableFuture.supplyAsync(
                                () -> Thread.currentThread().getName(), LedgerThreads.after(Duration.ofMillis(1)))
                        .join())
                .isEqualTo("election-ledger");
    }

    private LedgerWatcher of(String election) {
        return problems.of(new OwnLeadership(election, TOKEN, () -> true));
    }
}
