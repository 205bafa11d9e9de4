package dev.election.faults.bridge;

import dev.election.faults.checker.Belief;
import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The times in which a node answered each time that it is master. */
final class Masteries {

    /** A longer time between two answers tells nothing of what lies between. */
    static final long LONGEST_SILENCE = Duration.ofMillis(100).toNanos();

    private Masteries() {}

    /** In the order of their begin. Whoever runs the job has answered as well. */
    static List<Belief> in(History history) {
        List<Entry.Answer> answers = Stream.concat(
                        history.all(Entry.Answer.class).stream(),
                        history.all(Entry.Ran.class).stream()
                                .map(ran -> new Entry.Answer(ran.node(), true, 0, ran.askedAt(), ran.answeredAt())))
                .sorted(Comparator.comparingLong(Entry.Answer::askedAt))
                .toList();
        return Belief.of(answers, LONGEST_SILENCE);
    }
}
