package dev.election.faults.history;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** All that happened to one group of nodes, in the order in which it was written down. */
public record History(List<Entry> entries) {

    public History {
        entries = List.copyOf(entries);
        if (entries.isEmpty() || !(entries.get(0) instanceof Entry.Begun)) {
            throw new IllegalArgumentException("A history begins with what it is about");
        }
    }

    public static History read(Path file) throws IOException {
        try (var lines = Files.lines(file)) {
            return new History(lines.map(Line::parse).toList());
        }
    }

    public Entry.Begun about() {
        return (Entry.Begun) entries.get(0);
    }

    public <T extends Entry> List<T> all(Class<T> kind) {
        return entries.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The other elections that the nodes hold, by name. */
    public List<String> others() {
        return all(Entry.Elsewhere.class).stream()
                .map(Entry.Elsewhere::election)
                .distinct()
                .sorted()
                .toList();
    }

    /** Extracts the history of one of the other elections. No node was asked to lead it, and nothing was written under it. */
    public History of(String election) {
        return new History(
                entries.stream().flatMap(entry -> seenBy(election, entry)).toList());
    }

    private static Stream<Entry> seenBy(String election, Entry entry) {
        if (entry instanceof Entry.Elsewhere answer) {
            return answer.election().equals(election)
                    ? Stream.of(new Entry.Answer(
                            answer.node(), answer.leads(), answer.token(), answer.askedAt(), answer.answeredAt()))
                    : Stream.empty();
        }
        if (entry instanceof Entry.Injected fault) {
            return Stream.of(fault.inOthers());
        }
        if (entry instanceof Entry.Mustered mustered) {
            return Stream.of(new Entry.Mustered(List.of(), mustered.at()));
        }
        boolean isOfTheFirst = entry instanceof Entry.Answer
                || entry instanceof Entry.Sees
                || entry instanceof Entry.Write
                || entry instanceof Entry.Used;
        return isOfTheFirst ? Stream.empty() : Stream.of(entry);
    }

    /** Whether the run was ended from outside. */
    public boolean isCutOff() {
        return all(Entry.Over.class).isEmpty();
    }

    /** When the run was over; of one that was cut off, the last that a node said of its leadership. */
    public long end() {
        return entries.stream()
                .mapToLong(entry -> entry instanceof Entry.Over over
                        ? over.at()
                        : entry instanceof Entry.Answer answer ? answer.answeredAt() : 0)
                .max()
                .orElse(0);
    }
}
