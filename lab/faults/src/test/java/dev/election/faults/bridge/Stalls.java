package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import dev.election.harness.Intervals;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** When the machine itself stood still: a node did not run though it wanted to, and nobody had stopped it. */
final class Stalls {

    /** A sleep that lasts that much longer than asked for. */
    private static final long SHORTEST = Duration.ofMillis(30).toNanos();

    private static final String OF_MACHINE = "machine-of-";

    private final Intervals stalls = new Intervals();

    Stalls(History history) {
        List<Entry.Stalled> all = history.all(Entry.Stalled.class).stream()
                .sorted(Comparator.comparingLong(Entry.Stalled::from))
                .toList();
        all.stream()
                .filter(stall -> stall.node().startsWith(OF_MACHINE))
                .filter(stall -> all.stream().noneMatch(other -> isMeant(stall, other)))
                .forEach(stall -> stalls.add(stall.from(), stall.until()));
    }

    /** What a node records that slept for {@code asked} from then on and woke at that time; nothing if that is as usual. */
    static List<Entry> noticedBy(String node, long from, long asked, long woken) {
        return woken - from - asked > SHORTEST
                ? List.of(new Entry.Stalled(OF_MACHINE + node, from + asked, woken))
                : List.of();
    }

    /** How long the machine ran in that time. */
    long ran(long from, long until) {
        return until - from - stalls.within(from, until);
    }

    private static boolean isMeant(Entry.Stalled stall, Entry.Stalled other) {
        return stall.node().equals(OF_MACHINE + other.node())
                && other.from() <= stall.until()
                && stall.from() <= other.until();
    }
}
