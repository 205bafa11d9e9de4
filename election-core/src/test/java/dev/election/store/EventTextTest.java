package dev.election.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.FencingToken;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTextTest {

    private static final FencingToken TOKEN = new FencingToken(7);

    @Test
    void a_request_to_abdicate_is_read_as_it_was_written() {
        NodeMessage whole = new NodeMessage.AbdicationRequested(
                "r",
                TOKEN,
                new Abdication(
                        Duration.ofSeconds(7), Duration.ofSeconds(30), "n-1", Duration.ofSeconds(3), "alice at n-2"));
        NodeMessage least = new NodeMessage.AbdicationRequested("r", TOKEN, Abdication.toAnyone());
        assertThat(EventText.read(EventText.write(whole))).contains(new StoreEvent.Received(whole));
        assertThat(EventText.read(EventText.write(least))).contains(new StoreEvent.Received(least));
    }

    @Test
    void a_request_of_an_earlier_version_names_nobody_and_one_that_names_somebody_is_on_one_line() {
        NodeMessage least = new NodeMessage.AbdicationRequested("r", TOKEN, Abdication.toAnyone());
        String earlier = EventText.write(least).strip();
        assertThat(EventText.read(earlier)).contains(new StoreEvent.Received(least));
        Abdication named = Abdication.toAnyone().requestedBy("a\nb" + "c".repeat(1000));
        assertThat(named.requestedBy()).hasSize(256).startsWith("a bc");
        assertThat(Abdication.toAnyone().requestedBy(" \t").requestedBy()).isNull();
    }

    @Test
    void a_roll_call_is_read_as_it_was_written() {
        StoreEvent call = new StoreEvent.RollCall("run:data", Instant.ofEpochMilli(1_800_000_000_123L));
        assertThat(EventText.read(EventText.write(call))).contains(call);
        assertThat(EventText.read(EventText.write(new StoreEvent.RollCall()))).contains(new StoreEvent.RollCall());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "roll-call",
                "roll-call\n",
                "roll-call\n-1\ni",
                "roll-call\n99999999999999999999\ni",
                "roll-call\n1\ni\n2"
            })
    void a_roll_call_is_one_whatever_else_it_says(String text) {
        assertThat(EventText.read(text)).contains(new StoreEvent.RollCall());
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, drain",
        "0, -1, 0, cooldown",
        "0, 0, -1, reserved",
        "0, 9223372036854775807, 0, cooldown",
        "0, 0, 9223372036854775807, reserved"
    })
    void a_time_that_no_abdication_can_have_is_told_and_not_passed_over(
            String drain, String cooldown, String reserve, String what) {
        assertThat(EventText.read(String.join("\n", "abdicate", "r", "7", drain, cooldown, "text of it", reserve)))
                .get()
                .isInstanceOfSatisfying(StoreEvent.Invalid.class, invalid -> {
                    assertThat(invalid.kind()).isEqualTo(NodeMessage.AbdicationRequested.class);
                    assertThat(invalid.objection()).contains(what).doesNotContain("text of it");
                });
    }
}
