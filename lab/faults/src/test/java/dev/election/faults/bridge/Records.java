package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import dev.election.faults.history.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads what the processes of a fleet have recorded, each in a file of its own. */
final class Records {

    private Records() {}

    static History read(Path folder) throws IOException {
        List<Entry> all = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder, "*.history")) {
            for (Path file : files) {
                all.addAll(parse(Files.readString(file)));
            }
        }
        return of(all);
    }

    /** As one history. */
    static History of(List<Entry> recorded) {
        List<Entry> all = new ArrayList<>(List.of(new Entry.Begun("bridge", "SERVER", 0, 0, 0)));
        all.addAll(recorded);
        return new History(all);
    }

    /** What follows the last line break was being written when its process was killed. */
    static List<Entry> parse(String text) {
        int end = text.lastIndexOf('\n');
        return end < 0
                ? List.of()
                : text.substring(0, end).lines().map(Line::parse).toList();
    }
}
