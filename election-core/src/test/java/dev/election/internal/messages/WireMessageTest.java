package dev.election.internal.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.internal.messages.WireMessage.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages as they travel. */
class WireMessageTest {

    @Test
    void a_message_is_read_as_it_was_written() {
        for (Kind kind : Kind.values()) {
            for (String body :
                    List.of("", "{\"a\": 1}", "two\nlines\n\nand = signs \u00e4\u20ac", "\n", "kind=message\n\n")) {
                WireMessage written = new WireMessage(kind, "0a1b", "cache.evict", "id-1", body);
                assertThat(WireMessage.read(written.text())).contains(written);
            }
        }
        WireMessage withoutId = new WireMessage(Kind.MESSAGE, "0a1b", "cache.evict", "", "x");
        assertThat(WireMessage.read(withoutId.text())).contains(withoutId);
    }

    @Test
    void parts_of_a_later_version_are_skipped() {
        assertThat(WireMessage.read("kind=message\ncolour=red\nnothing\n=\nfrom=a\ntype=t\n\nbody"))
                .contains(new WireMessage(Kind.MESSAGE, "a", "t", "", "body"));
    }

    @Test
    void a_text_with_many_parts_is_no_message() {
        String head = "kind=message\nfrom=a\ntype=t\n";
        assertThat(WireMessage.read(head + "part=x\n".repeat(13) + "\n")).isPresent();
        assertThat(WireMessage.read(head + "part=x\n".repeat(14) + "\n")).isEmpty();
    }

    @Test
    void what_is_no_message_is_read_as_none() {
        for (String text : List.of(
                "",
                "\n",
                "body",
                "kind=message\nfrom=a\ntype=t",
                "kind=message\nfrom=a\ntype=t\n",
                "kind=order\nfrom=a\ntype=t\n\n",
                "from=a\ntype=t\n\n",
                "kind=message\ntype=t\n\n",
                "kind=message\nfrom=a\n\n",
                "kind=message\nfrom=a b\ntype=t\n\n",
                "kind=message\nfrom=a\ntype=" + "t".repeat(65) + "\n\n",
                "kind=question\nfrom=a\ntype=t\n\n",
                "kind=reply\nfrom=a\ntype=t\nid=\u0000\n\n")) {
            assertThat(WireMessage.read(text)).as(text).isEmpty();
        }
    }

    @Test
    void the_size_is_that_in_bytes() {
        WireMessage small = new WireMessage(Kind.MESSAGE, "a", "t", "", "");
        assertThat(new WireMessage(Kind.MESSAGE, "a", "t", "", "\u20ac").bytes())
                .isEqualTo(small.bytes() + 3);
    }
}
