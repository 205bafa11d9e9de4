package dev.election.faults.checker;

import dev.election.faults.history.Consequence;
import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Faults that overlap in time.
 *
 * @param faults in the order of their injection
 * @param healed when the last of them was over
 * @param consequences of all of them
 */
public record Episode(List<Entry.Injected> faults, long healed, Set<Consequence> consequences) {

    static List<Episode> of(History history, List<Belief> beliefs) {
        Map<Integer, Long> ends = history.all(Entry.Healed.class).stream()
                .collect(Collectors.toMap(Entry.Healed::number, Entry.Healed::at));
        Map<Integer, List<Entry.Injected>> byNumber = new TreeMap<>();
        for (Entry.Injected fault : history.all(Entry.Injected.class)) {
            byNumber.computeIfAbsent(fault.episode(), number -> new ArrayList<>())
                    .add(fault);
        }
        return byNumber.values().stream()
                .map(faults -> of(faults, ends, history.end(), beliefs))
                .toList();
    }

    private static Episode of(List<Entry.Injected> faults, Map<Integer, Long> ends, long end, List<Belief> beliefs) {
        Set<Consequence> all = EnumSet.noneOf(Consequence.class);
        long healed = 0;
        for (Entry.Injected fault : faults) {
            all.addAll(fault.consequences());
            healed = Math.max(healed, ends.getOrDefault(fault.number(), end));
        }
        if (faults.size() > 1 && mayHaveHitALeader(faults, healed, beliefs)) {
            // Another may have come to lead between the first fault and the choice of the second one's victim.
            all.add(Consequence.ORPHANED_LEASE);
        }
        return new Episode(List.copyOf(faults), healed, all);
    }

    private static boolean mayHaveHitALeader(List<Entry.Injected> faults, long healed, List<Belief> beliefs) {
        return faults.stream().anyMatch(fault -> beliefs.stream()
                .anyMatch(belief -> fault.nodes().contains(belief.node())
                        && belief.from() <= healed
                        && belief.until() >= faults.get(0).from()));
    }

    /** The episode that may have caused something that began at that time: the last one before, unless it was over for too long. */
    public static @Nullable Episode before(long time, List<Episode> episodes, long leaseNanos) {
        Episode last = null;
        for (Episode episode : episodes) {
            if (episode.begin() <= time + Windows.UNSAID) {
                last = episode;
            }
        }
        return last == null || time > last.healed() + 2 * leaseNanos ? null : last;
    }

    public long begin() {
        return faults.get(0).from();
    }

    /** From when on the bound counts: at once if others can take over, otherwise when all is well again. */
    public long countsFrom() {
        boolean wholeStoreOrSeveral = faults.size() > 1 || consequences.contains(Consequence.NO_ELECTION);
        return wholeStoreOrSeveral ? healed : faults.get(0).until();
    }
}
