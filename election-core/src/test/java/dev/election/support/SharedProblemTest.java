package dev.election.support;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedProblemTest {

    private final SharedProblem problem = new SharedProblem();

    @Test
    void the_first_subject_begins_it_and_the_last_ends_it_for_all_for_which_it_was_solved() {
        assertThat(problem.begins("a")).isTrue();
        assertThat(problem.begins("a")).as("once more").isFalse();
        assertThat(problem.begins("b")).isFalse();
        assertThat(problem.ends("b", true)).as("another has it").isEmpty();
        assertThat(problem.isPresent()).isTrue();
        assertThat(problem.ends("a", true)).containsExactly("b", "a");
        assertThat(problem.isPresent()).isFalse();
        assertThat(problem.ends("a", true)).as("once more").isEmpty();
    }

    @Test
    void the_next_one_begins_anew() {
        problem.begins("a");
        problem.ends("a", true);
        assertThat(problem.begins("b")).isTrue();
        assertThat(problem.ends("b", true)).containsExactly("b");
    }

    @Test
    void a_subject_that_has_it_no_longer_without_a_solution_is_not_among_those_for_which_it_was_solved() {
        problem.begins("a");
        problem.begins("b");
        problem.ends("a", true);
        problem.begins("a");
        problem.begins("c");
        problem.ends("c", true);
        problem.ends("a", false);
        assertThat(problem.ends("b", false)).containsExactly("c");
        assertThat(problem.begins("b")).isTrue();
        assertThat(problem.ends("b", false)).isEmpty();
    }
}
