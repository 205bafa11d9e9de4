package dev.election.internal.engine;

import dev.election.Abdication;
import dev.election.Leader;
import dev.election.members.Drain;
import dev.election.store.MemberEntry;
import dev.election.store.MemberStore;
import dev.election.support.OneLine;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The order that a node leads nothing, as an entry among the members of the store. It lasts longer than a member, and begins under a name that
 * no instance has. Versions that do not know it skip it, since it names no node id.
 */
final class DrainMark {

    /** Nobody has seen the node for so long, or it would have written the entry again. */
    static final Duration LASTS = Duration.ofDays(30);

    private DrainMark() {}

    static boolean isInstance(String instance) {
        return instance.startsWith(MemberStore.ORDER);
    }

    /** The instance of the entry for that node. */
    static String instance(String node) {
        return MemberStore.ORDER + node;
    }

    /** The id of the node that such an entry is for. */
    static String node(String instance) {
        return instance.substring(MemberStore.ORDER.length());
    }

    static String write(Drain drain) {
        return "drained-by=" + OneLine.escaped(drain.requestedBy()) + "\nsince="
                + drain.since().toEpochMilli() + "\n";
    }

    /** Empty for what no process has written. */
    static Optional<Drain> read(MemberEntry.Present entry) {
        String node = node(entry.instance());
        Map<String, String> parts = new HashMap<>();
        OneLine.parts(entry.text(), parts::put);
        String by = parts.get("drained-by");
        if (by == null || !Leader.isNodeId(node)) {
            return Optional.empty();
        }
        return Optional.of(new Drain(
                node,
                OneLine.shown(by, Abdication.LONGEST_REQUESTER),
                Instant.ofEpochMilli(millis(parts.get("since")))));
    }

    private static long millis(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException unknown) {
            return 0;
        }
    }
}
