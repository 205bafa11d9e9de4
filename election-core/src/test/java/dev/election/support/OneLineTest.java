package dev.election.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.NodeInfo;
import org.junit.jupiter.api.Test;

/** Texts by others, as logs and answers show them. */
class OneLineTest {

    private static final String CLEF = "\ud834\udd1e";

    @Test
    void a_text_can_neither_break_a_line_nor_reorder_or_hide_what_follows() {
        for (String hidden :
                new String[] {"\n", "\u0085", "\u2028", "\u2029", "\u202e", "\u2066", "\u200b", "\u001b"}) {
            assertThat(OneLine.shown("a" + hidden + "b", 10)).isEqualTo("a b");
            assertThat(Abdication.toAnyone().requestedBy("a" + hidden + "b").requestedBy())
                    .isEqualTo("a b");
            assertThat(NodeInfo.applicationName("a" + hidden + "b")).isEqualTo("a b");
        }
        assertThat(OneLine.shown("Zoë 李 " + CLEF, 10)).isEqualTo("Zoë 李 " + CLEF);
    }

    @Test
    void a_text_that_was_escaped_is_one_line_that_every_database_takes_and_is_read_unchanged() {
        for (String text : new String[] {"", "two\nlines", "a\\nb", "a\0b\\0", "\\", "\\\0\\\n"}) {
            String escaped = OneLine.escaped(text);
            assertThat(escaped).doesNotContain("\n", "\0");
            assertThat(OneLine.unescaped(escaped)).isEqualTo(text);
        }
        assertThat(OneLine.unescaped("ends with \\")).isEqualTo("ends with \\");
    }

    @Test
    void a_text_that_is_too_long_is_cut_between_two_characters() {
        assertThat(OneLine.shown(CLEF + CLEF, 4)).isEqualTo(CLEF + CLEF);
        assertThat(OneLine.shown(CLEF + CLEF, 3)).isEqualTo(CLEF);
        assertThat(OneLine.shown(CLEF + CLEF, 1)).isEmpty();
        assertThat(OneLine.shown(CLEF, 0)).isEmpty();
        assertThat(NodeInfo.applicationName("a" + CLEF.repeat(100))).isEqualTo("a" + CLEF.repeat(63));
        assertThat(Abdication.toAnyone().requestedBy("a" + CLEF.repeat(200)).requestedBy())
                .isEqualTo("a" + CLEF.repeat(127));
    }
}
