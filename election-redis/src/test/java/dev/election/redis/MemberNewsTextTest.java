package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.members.LeaveReason;
import dev.election.store.MemberEntry;
import dev.election.store.MemberNews;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages about members, of which anybody who may publish can send any. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MemberNewsTextTest {

    @Test
    void what_the_scripts_publish_is_read() {
        assertThat(MemberNewsText.read("member\nlist\n7\ni\n3\nid=a\nzone=b"))
                .contains(new MemberNews.Changed("list", new MemberEntry.Present("i", 7, 3, "id=a\nzone=b")));
        assertThat(MemberNewsText.read("member\nlist\n8\ni\nSTOPPED"))
                .contains(new MemberNews.Changed("list", new MemberEntry.Gone("i", 8, LeaveReason.STOPPED)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "member",
                "other\nlist\n7\ni\n3\ntext",
                "member\n\n7\ni\n3\ntext",
                "member\nlist\n7\n\n3\ntext",
                "member\nlist\n0\ni\n3\ntext",
                "member\nlist\n-1\ni\nSTOPPED",
                "member\nlist\nx\ni\nSTOPPED",
                "member\nlist\n99999999999999999999\ni\nSTOPPED",
                "member\nlist\n7\ni\nBORED",
                "member\nlist\n7\ni\n-3\ntext"
            })
    void anything_else_is_passed_over(String message) {
        assertThat(MemberNewsText.read(message)).isEmpty();
    }

    @Test
    void what_is_too_long_is_passed_over() {
        assertThat(MemberNewsText.read("member\nlist\n7\ni\n3\n" + "x".repeat(8_192)))
                .isEmpty();
        assertThat(MemberNewsText.read("member\nlist\n7\n" + "i".repeat(257) + "\nSTOPPED"))
                .isEmpty();
    }
}
