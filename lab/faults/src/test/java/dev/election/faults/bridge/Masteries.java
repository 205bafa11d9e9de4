package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A time in which a node answered each time that it is master.
 *
 * @param first its first answer
 * @param last its last answer
 */
record Mastery(Entry.Answer first, Entry.Answer last) {

    /** A longer time between two answers tells nothing of what lies between. */
    static final long LONGEST_SILENCE = Duration.ofMillis(100).toNanos();

    /** In the order of their begin. Whoever runs the job has answered as well. */
    static List<Mastery> of(List<Entry> entries) {
        Map<String, List<Entry.Answer>> byNode = entries.stream()
                .flatMap(Mastery::answers)
                .sorted(Comparator.comparingLong(Entry.Answer::askedAt))
                .collect(Collectors.groupingBy(Entry.Answer::node));
        return byNode.values().stream()
                .flatMap(answers -> runs(answers).stream())
                .sorted(Comparator.comparingLong(Mastery::from))
                .toList();
    }

    String node() {
        return first.node();
    }

    /** The first moment at which it may have begun. */
    long from() {
        return first.askedAt();
    }

    /** The last moment at which it may have held. */
    long until() {
        return last.answeredAt();
    }

    boolean isOld() {
        return node().startsWith("old");
    }

    /** Whether every moment at which this may have held is one at which the other certainly did. */
    boolean liesWithin(Mastery other) {
        return first.askedAt() > other.first.answeredAt() && last.answeredAt() < other.last.askedAt();
    }

    private static Stream<Entry.Answer> answers(Entry entry) {
        if (entry instanceof Entry.Answer answer) {
            return Stream.of(answer);
        }
        return entry instanceof Entry.Ran ran
                ? Stream.of(new Entry.Answer(ran.node(), true, 0, ran.askedAt(), ran.answeredAt()))
                : Stream.empty();
    }

    private static List<Mastery> runs(List<Entry.Answer> answers) {
        List<Mastery> runs = new ArrayList<>();
        Entry.Answer first = null;
        Entry.Answer last = null;
        for (Entry.Answer answer : answers) {
            boolean goesOn = last != null && answer.leads() && answer.askedAt() - last.answeredAt() <= LONGEST_SILENCE;
            if (!goesOn && last != null) {
                runs.add(new Mastery(first, last));
                first = null;
                last = null;
            }
            if (answer.leads()) {
                first = first == null ? answer : first;
                last = answer;
            }
        }
        if (last != null) {
            runs.add(new Mastery(first, last));
        }
        return runs;
    }
}
