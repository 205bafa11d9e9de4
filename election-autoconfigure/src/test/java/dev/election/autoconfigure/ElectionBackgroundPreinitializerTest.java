package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.preinitialize.BackgroundPreinitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

class ElectionBackgroundPreinitializerTest {

    @Test
    void it_is_run_by_spring_boot() {
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation().load(BackgroundPreinitializer.class))
                .hasAtLeastOneElementOfType(ElectionBackgroundPreinitializer.class);
    }

    @Test
    void what_it_initializes_works() {
        assertThatCode(() -> new ElectionBackgroundPreinitializer().preinitialize())
                .doesNotThrowAnyException();
    }
}
