package dev.election.internal.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Standing;
import dev.election.store.MemberEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The roles of a member in the partitions of a group are written together. */
class GroupRolesTest {

    private static final String LONG_GROUP = "g".repeat(48);

    @Test
    void those_of_256_partitions_fit_in_an_entry_and_are_read_as_they_were_written() {
        Map<String, MemberRole> roles = new HashMap<>();
        for (int i = 0; i < 256; i++) {
            roles.put(LONG_GROUP + "." + i, MemberRole.values()[i % 3]);
            if (i % 7 != 0) {
                roles.put("orders." + i, MemberRole.values()[i / 100]);
            }
        }
        roles.put("default", MemberRole.CANDIDATE);
        roles.put("orders.x", MemberRole.LEADER);
        Member written =
                member(Map.of("partitions." + LONG_GROUP, "256", "partitions.orders", "?12345", "pdf", "a4"), roles);
        String text = MemberText.writeWithRoles(written);
        assertThat(MemberText.bytes(text)).isLessThan(2000);
        assertThat(text).contains("role.default=CANDIDATE\n").contains("role.orders.x=LEADER\n");
        assertThat(read(text)).contains(written);
    }

    @Test
    void without_partitions_nothing_is_written_in_another_way() {
        Member written = member(Map.of("pdf", "a4"), Map.of("orders.1", MemberRole.LEADER));
        assertThat(MemberText.writeWithRoles(written))
                .contains("role.orders.1=LEADER\n")
                .doesNotContain("roles.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"roles.orders=5g", "roles.orders=5/9", "roles.no name=5", "roles.=5"})
    void a_form_that_is_not_known_is_skipped(String line) {
        assertThat(read("id=me\n" + line + "\nrole.default=LEADER\n"))
                .get()
                .extracting(Member::roles)
                .isEqualTo(Map.of("default", MemberRole.LEADER));
        assertThat(read("id=me\nroles.orders=" + "5".repeat(129) + "\n"))
                .get()
                .extracting(Member::roles)
                .isEqualTo(Map.of());
    }

    private static Optional<Member> read(String text) {
        return MemberText.read(new MemberEntry.Present("instance", 9, 7, text));
    }

    private static Member member(Map<String, String> capabilities, Map<String, MemberRole> roles) {
        return new Member(
                "n".repeat(128),
                "instance",
                "shop",
                "https://" + "host.".repeat(20) + ":8443/app",
                "",
                Instant.ofEpochMilli(1_700_000_000_000L),
                "1.2",
                "west",
                Duration.ofSeconds(5),
                Map.of(),
                capabilities,
                roles,
                Optional.of(new Standing(0, Map.of()).balanced(false, Map.of("orders.*", true))),
                7);
    }
}
