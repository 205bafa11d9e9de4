package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which nodes ran when. */
final class Living {

    private static final String MARK = "election:";

    private final Map<String, Long> joined = new HashMap<>();
    private final Map<String, Long> ended = new HashMap<>();
    private final List<Entry.Stalled> stalled;

    Living(History history) {
        history.all(Entry.Joined.class).forEach(node -> joined.put(node.node(), node.at()));
        history.all(Entry.Ended.class).forEach(node -> ended.put(node.node(), node.at()));
        stalled = history.all(Entry.Stalled.class);
    }

    /** When the first node joined. */
    long begin() {
        return joined.values().stream().mapToLong(Long::longValue).min().orElseThrow();
    }

    /**
     * Whether the nodes can elect a master at that time: there are some, and the key does not name a dead one while old nodes keep the
     * key. A dead node's mark does not count, as long as another new node can take it over.
     */
    boolean canElect(String key, long at) {
        if (joined.keySet().stream().noneMatch(node -> runs(node, at))) {
            return false;
        }
        boolean isMark = key.startsWith(MARK);
        String master = isMark ? key.substring(MARK.length()) : key;
        boolean isKept = !key.isEmpty() && !runs(master, at) && anyRuns("old", at);
        return !isKept || (isMark && anyRuns("new", at));
    }

    private boolean anyRuns(String kind, long at) {
        return joined.keySet().stream().anyMatch(node -> node.startsWith(kind) && runs(node, at));
    }

    private boolean runs(String node, long at) {
        return joined.getOrDefault(node, Long.MAX_VALUE) <= at
                && at < ended.getOrDefault(node, Long.MAX_VALUE)
                && stalled.stream()
                        .noneMatch(stall -> stall.node().equals(node) && stall.from() <= at && at < stall.until());
    }
}
