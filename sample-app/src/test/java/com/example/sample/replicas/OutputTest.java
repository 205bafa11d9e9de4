package com.example.sample.replicas;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class OutputTest {

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void each_line_begins_with_the_name_of_its_replica() {
        output(false).print(2, "app-2", "Cleaning up");

        assertThat(printed.toString()).isEqualTo("app-2 | Cleaning up" + System.lineSeparator());
    }

    @Test
    void on_a_terminal_each_name_has_a_colour_of_its_own() {
        output(true).print(1, "app-1", "one");
        output(true).print(2, "app-2", "two");

        assertThat(printed.toString().lines())
                .containsExactly("\033[36mapp-1 | \033[0mone", "\033[33mapp-2 | \033[0mtwo");
    }

    private Output output(boolean coloured) {
        return new Output(new PrintStream(printed), coloured);
    }
}
