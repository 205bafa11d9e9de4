package dev.election.internal.members;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page about members states the bounds that the simulation checks. */
class MemberBoundsTest {

    private static final Pattern BOUND = Pattern.compile("(?m)^\\| [^|]* \\| (\\d\\.\\d) leases");

    @Test
    void the_page_states_the_bounds() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "members.md"));
        String section = page.substring(page.indexOf("## How late it can be"), page.indexOf("## Limits"));
        assertThat(BOUND.matcher(section).results().map(row -> row.group(1)))
                .containsExactlyElementsOf(texts(
                        MemberBounds.RETRY,
                        MemberBounds.SEEN,
                        MemberBounds.GONE,
                        MemberBounds.GONE_WITHOUT_CLOCK,
                        MemberBounds.GONE_AFTER_LOSS));
        assertThat(section)
                .contains(String.format(
                        Locale.ROOT,
                        "They follow from %.1f leases until a heartbeat without an answer is repeated, %.1f leases between two"
                                + " others, and %.1f leases until a process expires.",
                        MemberBounds.RETRY,
                        MemberBounds.HEARTBEAT,
                        MemberBounds.EXPIRY));
    }

    private static List<String> texts(double... bounds) {
        return Arrays.stream(bounds)
                .mapToObj(bound -> String.format(Locale.ROOT, "%.1f", bound))
                .toList();
    }
}
