package dev.election.internal.members;

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
 * Format of the order to drain a node, which is an entry among the members of the store. The entry lasts longer than that of a member, and its name
 * has a prefix that no instance has. Versions that do not know orders skip it, since it has no node id.
 */
public final class DrainMark {

    /** Lifetime of an order. A drained node that runs renews its order when it expires. */
    static final Duration LASTS = Duration.ofDays(30);

    private DrainMark() {}

    public static boolean isInstance(String instance) {
        return instance.startsWith(MemberStore.ORDER);
    }

    /** Returns the name of the entry for that node. */
    static String instance(String node) {
        return MemberStore.ORDER + node;
    }

    /** Returns the id of the node that an entry is for. */
    public static String node(String instance) {
        return instance.substring(MemberStore.ORDER.length());
    }

    static String write(Drain drain) {
        return "drained-by=" + OneLine.escaped(drain.requestedBy()) + "\nsince="
                + drain.since().toEpochMilli() + "\n";
    }

    /** Reads an order; empty if the entry is none. */
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
