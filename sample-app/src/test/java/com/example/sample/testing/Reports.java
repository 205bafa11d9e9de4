package com.example.sample.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All reports that replicas have written, in the order in which they were begun. */
public record Reports(List<Report> inOrder) {

    private static final String REPORT = " of this replica ";

    /** Those on these consoles so far. */
    static Reports on(List<Console> consoles) {
        return new Reports(consoles.stream()
                .flatMap(console -> of(console).stream())
                .sorted(Comparator.comparing(Report::begun))
                .toList());
    }

    /** At any time one replica reported, and never one whose token another has replaced. */
    public void assertThatOneReplicaWroteThemAtATime() {
        assertThat(inOrder).isNotEmpty();
        Map<Long, Console> writers = new HashMap<>();
        Report last = inOrder.get(0);
        for (Report next : inOrder) {
            assertThat(writers.computeIfAbsent(next.token(), token -> next.writer()))
                    .as("the only one that reports with token %s, beside %s", next.token(), next.writer())
                    .isSameAs(next.writer());
            assertThat(next.token()).as("the token of %s after %s", next, last).isGreaterThanOrEqualTo(last.token());
            if (next != last) {
                assertThat(next.begun()).as("%s after %s", next, last).isAfterOrEqualTo(last.ended());
            }
            last = next;
        }
    }

    private static List<Report> of(Console console) {
        return console.all(REPORT).stream()
                .filter(line -> line.text().contains(REPORT + "begins"))
                .map(begun -> new Report(console, begun.token(), begun.loggedAt(), ended(console, begun)))
                .toList();
    }

    /** One that still runs, or whose replica was killed over it, counts for the moment of its beginning. */
    private static Instant ended(Console console, Console.Line begun) {
        Optional<Console.Line> end = console.allAfter(begun, REPORT).stream().findFirst();
        return end.orElse(begun).loggedAt();
    }

    /**
     * @param writer what the replica printed
     * @param token with which it reported
     * @param begun when its first line was logged
     * @param ended when its last line was logged
     */
    public record Report(Console writer, long token, Instant begun, Instant ended) {}
}
