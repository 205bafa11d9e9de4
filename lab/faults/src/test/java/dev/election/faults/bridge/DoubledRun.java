package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Two nodes ran the job of the same slot.
 *
 * @param first that asked first
 * @param second that asked later
 */
record DoubledRun(Entry.Ran first, Entry.Ran second) {

    static List<DoubledRun> in(List<Entry.Ran> runs) {
        Map<Long, List<Entry.Ran>> bySlot = new TreeMap<>();
        runs.forEach(run ->
                bySlot.computeIfAbsent(run.slot(), slot -> new ArrayList<>()).add(run));
        List<DoubledRun> doubled = new ArrayList<>();
        for (List<Entry.Ran> slot : bySlot.values()) {
            for (int i = 0; i < slot.size(); i++) {
                for (int j = i + 1; j < slot.size(); j++) {
                    boolean isFirst = slot.get(i).askedAt() <= slot.get(j).askedAt();
                    doubled.add(new DoubledRun(slot.get(isFirst ? i : j), slot.get(isFirst ? j : i)));
                }
            }
        }
        return doubled;
    }

    /** Whether the first had ceased to be master when the second ran: the slot fell into a change of master. */
    boolean isAtAChange(List<TwoMasters> found) {
        long from = Math.min(first.askedAt(), second.askedAt()) - MasterPoll.SLOT;
        long until = Math.max(first.answeredAt(), second.answeredAt()) + MasterPoll.SLOT;
        return found.stream()
                .noneMatch(
                        two -> two.isAbout(first.node(), second.node()) && two.from() <= until && from <= two.until());
    }
}
