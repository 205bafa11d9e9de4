package dev.election.steering;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What all processes believed, by their {@link BeliefFile}s. The monotonic clock of one machine is the same for all of them. */
final class Beliefs {

    private final List<Belief> all;

    private Beliefs(List<Belief> all) {
        this.all = all;
    }

    /** Of those that wrote into that folder. */
    static Beliefs in(Path folder) throws IOException {
        List<Belief> all = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*.beliefs")) {
            for (Path file : files) {
                for (String line : Files.readAllLines(file)) {
                    String[] part = line.split(" ");
                    all.add(new Belief(Long.parseLong(part[0]), Long.parseLong(part[1]), Long.parseLong(part[2])));
                }
            }
        }
        all.sort(Comparator.comparingLong(Belief::since));
        return new Beliefs(all);
    }

    /** Those that began before an earlier one had ended. */
    List<String> overlaps() {
        List<String> overlaps = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i).since < all.get(i - 1).until) {
                overlaps.add(all.get(i - 1) + " and " + all.get(i));
            }
        }
        return overlaps;
    }

    /** The longest time in which nobody believed that it leads, between the first one that did and the last one. */
    Duration longestGap() {
        long longest = 0;
        for (int i = 1; i < all.size(); i++) {
            longest = Math.max(longest, all.get(i).since - all.get(i - 1).until);
        }
        return Duration.ofNanos(longest);
    }

    private record Belief(long token, long since, long until) {}
}
