package dev.election.store;

import dev.election.NodeInfo;
import dev.election.support.OneLine;
import org.jspecify.annotations.Nullable;

/**
 * The text of a past leader in the history: the text of its node, and a line more if somebody asked it to give up. Earlier versions skip that
 * line, as they skip each part of a node that they do not know.
 */
public final class PastLeader {

    private static final String LINE = "\nrequested-by=";

    private PastLeader() {}

    /** Writes the text of a node and of who asked it to give up. */
    public static String text(NodeInfo node, @Nullable String requestedBy) {
        return requestedBy == null ? node.text() : node.text() + LINE + OneLine.escaped(requestedBy);
    }

    /** Reads from such a text who asked the leader to give up, {@code null} if nobody did. */
    public static @Nullable String requestedBy(String text) {
        int begin = text.lastIndexOf(LINE);
        return begin < 0 ? null : OneLine.unescaped(text.substring(begin + LINE.length()));
    }
}
