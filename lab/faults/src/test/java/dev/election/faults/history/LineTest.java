package dev.election.faults.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class LineTest {

    @ParameterizedTest
    @MethodSource("entries")
    void an_entry_comes_back_from_its_line(Entry entry) {
        assertThat(Line.parse(Line.of(entry))).isEqualTo(entry);
    }

    static Stream<Entry> entries() {
        return Stream.of(
                new Entry.Begun("g", "CLUSTER", 2000, -7, 5),
                new Entry.Joined("n", 1),
                new Entry.Informed("n", 1),
                new Entry.Answer("n", true, 1795249968149L, 1, 2),
                new Entry.Write("n", "jdbc", 3, Entry.Write.Outcome.REFUSED, 0, 1, 2),
                new Entry.Stalled("n", 1, 2),
                new Entry.Used("n", 20, 30, 9_000_000, 1),
                new Entry.Ended("n", 1),
                new Entry.Injected(
                        1,
                        2,
                        "KILL",
                        "ALL",
                        List.of("a", "b"),
                        EnumSet.of(Consequence.FRESH_NODE),
                        EnumSet.of(Consequence.ORPHANED_LEASE, Consequence.FRESH_NODE),
                        3,
                        4),
                new Entry.Injected(
                        1,
                        2,
                        "KILL",
                        "STORE",
                        List.of(),
                        EnumSet.noneOf(Consequence.class),
                        EnumSet.noneOf(Consequence.class),
                        3,
                        4),
                new Entry.Healed(1, 2),
                new Entry.Mustered(List.of("a"), 1),
                new Entry.Ran("n", 4, 1, 2),
                new Entry.Registered("n", 1, 2, 3),
                new Entry.KeySeen("n", 1),
                new Entry.KeySeen("", 1),
                new Entry.Over(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Joined n", "Joined n 1 2", "Left n 1", "Joined n soon"})
    void what_is_no_entry_is_refused(String line) {
        assertThatThrownBy(() -> Line.parse(line)).isInstanceOf(IllegalArgumentException.class);
    }
}
