package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A slice without that annotation: the auto-configuration of the elections is no part of it. */
@JsonTest
@ExtendWith(OutputCaptureExtension.class)
class UnguardedSliceTest {

    @Test
    void it_is_said_once_that_its_beans_are_not_guarded_and_what_to_add(CapturedOutput output) {
        assertThat(output)
                .containsOnlyOnce(
                        "The leader-only methods of the beans [reports, consumer] are not guarded in this context")
                .contains("add @AutoConfigureTestElections of dev.election:election-test");
    }
}
