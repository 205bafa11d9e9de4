package dev.election.autoconfigure.internal.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ConsolePageTest {

    @Test
    void finds_its_files_and_the_endpoint_where_the_application_has_put_them() throws IOException {
        assertThat(html(Map.of("leaderconsole", "leaderconsole", "leader", "leader")))
                .contains("src=\"leaderconsole/main.js\"")
                .contains("<meta name=\"leader-endpoint\" content=\"leader\">");
        assertThat(html(Map.of("leaderconsole", "ops/pages/console", "leader", "who-leads")))
                .contains("src=\"console/main.js\"")
                .contains("<meta name=\"leader-endpoint\" content=\"../../who-leads\">");
    }

    @Test
    void can_be_shown_without_the_endpoint() throws IOException {
        assertThat(html(Map.of("leaderconsole", "leaderconsole")))
                .contains("<meta name=\"leader-endpoint\" content=\"leader\">");
    }

    private static String html(Map<String, String> paths) throws IOException {
        return new ConsolePage(paths::get).html().getContentAsString(StandardCharsets.UTF_8);
    }
}
