package dev.election.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeySlotTest {

    @Test
    void the_slot_of_a_key_is_that_of_the_specification() {
        assertThat(KeySlot.of("123456789")).isEqualTo(0x31C3);
        assertThat(KeySlot.of("{user1000}.following")).isEqualTo(KeySlot.of("user1000"));
        assertThat(KeySlot.of("foo{}{bar}")).isNotEqualTo(KeySlot.of("bar"));
    }
}
