package dev.election.faults.checker;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Checks which members each node saw when all faults were over. */
final class Rosters {

    /** A heartbeat of the dead lasts for two and a half, the next one of the living comes within 1.6; and one for an answer. */
    private static final int MOST_LEASES = 5;

    private Rosters() {}

    static List<Violation> wrong(History history, Stalls stalls) {
        List<Entry.Mustered> musters = history.all(Entry.Mustered.class);
        List<Entry.Sees> all = history.all(Entry.Sees.class);
        if (musters.isEmpty() || all.isEmpty()) {
            return List.of();
        }
        long muster = musters.get(0).at();
        TreeSet<String> living = new TreeSet<>();
        long quietSince = 0;
        for (Entry entry : history.entries()) {
            if (entry instanceof Entry.Joined joined && joined.at() <= muster) {
                living.add(joined.node());
                quietSince = Math.max(quietSince, joined.at());
            } else if (entry instanceof Entry.Ended ended && ended.at() <= muster) {
                living.remove(ended.node());
                quietSince = Math.max(quietSince, ended.at());
            } else if (entry instanceof Entry.Injected fault) {
                quietSince = Math.max(quietSince, fault.until());
            } else if (entry instanceof Entry.Healed healed) {
                quietSince = Math.max(quietSince, healed.at());
            }
        }
        List<Violation> violations = new ArrayList<>();
        for (String node : living) {
            Entry.Sees last = all.stream()
                    .filter(sees -> sees.node().equals(node) && sees.at() <= muster)
                    .reduce((earlier, later) -> later)
                    .orElse(new Entry.Sees(node, List.of(), quietSince));
            long allowed = MOST_LEASES * history.about().leaseMillis() * 1_000_000;
            long taken = last.at() - quietSince;
            long excess = taken <= allowed ? 0 : taken - stalls.between(quietSince, last.at()) - allowed;
            if (excess > 0 || !last.members().equals(List.copyOf(living))) {
                violations.add(
                        new Violation.WrongRoster(node, last.members(), List.copyOf(living), Math.max(excess, 0)));
            }
        }
        return violations;
    }
}
