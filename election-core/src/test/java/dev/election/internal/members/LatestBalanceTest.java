package dev.election.internal.members;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Steering;
import dev.election.internal.succession.Balance;
import dev.election.members.MemberRole;
import dev.election.members.Standing;
import dev.election.testing.PlainMember;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LatestBalanceTest {

    private final LatestBalance latest = new LatestBalance(Steering.none());

    @Test
    void the_order_is_made_once_for_equal_members_and_anew_when_one_changes() {
        Balance made = latest.of(List.of(known("a", MemberRole.LEADER), known("b", MemberRole.CANDIDATE)));
        assertThat(made.successorsOf("a")).isEmpty();
        List<RosterCopy.Known> equal = List.of(known("a", MemberRole.LEADER), known("b", MemberRole.CANDIDATE));
        assertThat(latest.of(equal)).isSameAs(made).isSameAs(latest.of(equal));
        List<RosterCopy.Known> changed = List.of(known("a", MemberRole.CANDIDATE), known("b", MemberRole.LEADER));
        assertThat(latest.of(changed)).isNotSameAs(made).isSameAs(latest.of(changed));
        assertThat(latest.of(equal)).as("only the latest is kept").isNotSameAs(made);
    }

    private static RosterCopy.Known known(String instance, MemberRole role) {
        return new RosterCopy.Known(
                PlainMember.of(
                        instance,
                        instance,
                        Map.of("orders.0", role),
                        Optional.of(new Standing(0, Map.of()).balanced(true, Map.of())),
                        1),
                1);
    }
}
