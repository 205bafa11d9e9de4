package dev.election;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StoreProblemActionTest {

    @ParameterizedTest
    @EnumSource
    void the_action_that_holds_for_any_store_names_no_product_and_no_setting_of_one(StoreProblem problem) {
        assertThat(problem.action())
                .isNotEmpty()
                .doesNotEndWith(".")
                .doesNotContainPattern("(?i)redis|sentinel|CLUSTER INFO|channel|prefix|min-replicas|maxmemory");
    }
}
