package dev.election.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadableDurationTest {

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0 ms",
        "PT0.000499S, 0 ms",
        "PT0.640789296S, 641 ms",
        "PT0.9994S, 999 ms",
        "PT0.9996S, 1 s",
        "PT1S, 1 s",
        "PT12.34S, 12.3 s",
        "PT15S, 15 s",
        "PT59.949S, 59.9 s",
        "PT59.96S, 1 min",
        "PT3M20S, 3 min 20 s",
        "PT59M59.6S, 1 h",
        "PT2H5M59S, 2 h 5 min",
        "PT24H, 1 d",
        "P4DT3H, 4 d 3 h",
        "PT-0.25S, -250 ms",
        "PT2562047788015215H30M7.999S, 106751991167300 d 15 h"
    })
    void a_duration_is_written_in_its_two_largest_units(Duration duration, String text) {
        assertThat(ReadableDuration.of(duration)).isEqualTo(text);
    }

    @Test
    void the_durations_in_the_text_of_a_record_are_written_for_people() {
        LeadershipEvent lost = new LeadershipEvent.Lost(
                "reports", Instant.EPOCH, new FencingToken(7), LossReason.EXPIRED, Duration.ofMillis(83_250));

        assertThat(ReadableDuration.allIn(lost)).endsWith("reason=EXPIRED, held=1 min 23 s]");
        assertThat(ReadableDuration.allIn(List.of(lost, "PT5S")))
                .as("what is no component of a record")
                .endsWith("held=1 min 23 s], PT5S]");
    }
}
