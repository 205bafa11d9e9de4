package dev.election.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AssignedRole;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.internal.election.ScriptedStore;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StartLogTest {

    private final Timings timings = new Timings(
            Timing.ofLease(Duration.ofSeconds(15)),
            Map.of("reports", Timing.ofLease(Duration.ofSeconds(30))),
            Duration.ofDays(1));

    @Test
    void the_elections_are_named_with_their_leases() {
        assertThat(timings.describe(List.of("default", "reports"), Groups.NONE))
                .isEqualTo("the elections 'default', 'reports' (30 s) (lease 15 s)");
        assertThat(timings.describe(List.of("default"), Groups.NONE)).isEqualTo("the election 'default' (lease 15 s)");
        assertThat(timings.describe(List.of(), Groups.NONE)).isEqualTo("no election yet (lease 15 s)");
        assertThat(timings.describe(
                        IntStream.range(0, 65).mapToObj(i -> "e" + i).toList(), Groups.NONE))
                .contains("'e59' and 5 more")
                .doesNotContain("'e60'");
    }

    @Test
    void an_election_that_is_led_with_another_has_the_lease_of_that_one() {
        assertThat(timings.together(Map.of("cache", "reports", "index", "default"))
                        .describe(List.of("cache", "index", "reports"), Groups.NONE))
                .isEqualTo("the elections 'cache' (30 s), 'index', 'reports' (30 s) (lease 15 s)");
    }

    @Test
    void a_group_stands_for_its_partitions() {
        Groups groups = new Groups(Map.of("orders", 16), Set.of());
        List<String> elections = Stream.concat(Stream.of("default", "other.0"), groups.elections("orders").stream())
                .toList();
        assertThat(timings.describe(elections, groups))
                .isEqualTo("the elections 'default', 'orders' (16 partitions), 'other.0' (lease 15 s)");
    }

    @Test
    void numbers_in_names_are_in_the_order_of_their_values() {
        assertThat(timings.describe(List.of("e10", "e9b2", "e1", "d", "e9b10"), Groups.NONE))
                .isEqualTo("the elections 'd', 'e1', 'e9b2', 'e9b10', 'e10' (lease 15 s)");
    }

    @Test
    void a_start_says_what_is_only_observed() {
        Timing brief = Timing.ofLease(Duration.ofSeconds(1));
        try (LoggedLines log = new LoggedLines("dev.election");
                ElectionEngine all = ElectionEngine.over(new ScriptedStore())
                        .as(new NodeInfo("app", "app:80"))
                        .timing(brief)
                        .role(AssignedRole.OBSERVER)
                        .build();
                ElectionEngine one = ElectionEngine.over(new ScriptedStore())
                        .as(new NodeInfo("other", "other:80"))
                        .timing(brief)
                        .role("reports", AssignedRole.OBSERVER)
                        .build()) {
            all.get("default");
            all.start();
            one.get("default");
            one.get("reports");
            one.start();
            assertThat(log.with("takes part"))
                    .containsExactly(
                            "app takes part in the election 'default' (lease 1 s), as an observer. Store: Script",
                            "other takes part in the elections 'default', 'reports' (lease 1 s), as an observer in"
                                    + " 'reports'. Store: Script");
        }
    }

    @Test
    void a_start_is_one_line_with_node_elections_and_where_the_store_is() {
        Timing brief = Timing.ofLease(Duration.ofSeconds(1));
        ScriptedStore store = new ScriptedStore();
        try (LoggedLines log = new LoggedLines("dev.election");
                ElectionEngine engine = ElectionEngine.over(store)
                        .as(new NodeInfo("app", "app:80"))
                        .timing(brief)
                        .build()) {
            engine.get("default");
            engine.start();
            engine.start();
            assertThat(log.with("takes part"))
                    .containsExactly(
                            "app takes part in the election 'default' (lease 1 s). Store: " + store.location());
        }
    }
}
