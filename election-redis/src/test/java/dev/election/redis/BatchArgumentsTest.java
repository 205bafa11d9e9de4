package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BatchArgumentsTest {

    @Test
    void what_an_election_has_in_common_with_the_one_before_travels_once() {
        BatchArguments arguments = new BatchArguments(3);
        arguments.add("campaign", "a", "node", "5000");
        arguments.add("campaign", "b", "node", "5000");
        arguments.add("renew", "b", "node");
        assertThat(arguments.all())
                .containsExactly(
                        "3",
                        "campaign",
                        "3",
                        "a",
                        "node",
                        "5000",
                        "campaign",
                        "3",
                        "b",
                        "=",
                        "=",
                        "renew",
                        "2",
                        "=",
                        "=");
    }

    @Test
    void a_place_that_the_one_before_did_not_have_is_the_latest_that_was_there() {
        BatchArguments arguments = new BatchArguments(3);
        arguments.add("campaign", "a", "node", "5000");
        arguments.add("renew", "b");
        arguments.add("campaign", "c", "other", "5000");
        assertThat(arguments.all().subList(9, 14)).containsExactly("campaign", "3", "c", "other", "=");
    }

    @Test
    void what_looks_like_the_sign_for_that_is_told_apart_from_it() {
        BatchArguments arguments = new BatchArguments(2);
        arguments.add("renew", "=", "==", "");
        arguments.add("renew", "x", "=", "");
        assertThat(arguments.all()).containsExactly("2", "renew", "3", "==", "===", "", "renew", "3", "x", "==", "=");
    }
}
