package com.example.sample.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OptionsTest {

    @Test
    void three_replicas_unless_told_otherwise() {
        assertThat(Options.of().replicas()).isEqualTo(3);
        assertThat(Options.of("--replicas=1").replicas()).isEqualTo(1);
    }

    @Test
    void all_other_arguments_go_to_the_replicas() {
        assertThat(Options.of("--election.lease=5s", "--replicas=2", "--debug").arguments())
                .containsExactly("--election.lease=5s", "--debug");
    }

    @Test
    void a_Redis_that_the_arguments_name_is_used() {
        assertThat(Options.of("--spring.data.redis.port=6379").nameStore()).isTrue();
        assertThat(Options.of("--election.lease=5s").nameStore()).isFalse();
    }
}
