package dev.election;

import java.time.Instant;
import java.util.regex.Pattern;

/**
 * The node that leads an election, wherever it runs.
 *
 * @param node the id of the node
 * @param address where the node is reached, as it says: the URI of its web server, or its host name if it has none
 * @param token the token of this leadership
 * @param since when the leadership was granted, by the clock of the store
 */
public record Leader(String node, String address, FencingToken token, Instant since) {

    private static final Pattern NODE_ID = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

    /** Whether a node may have that id: 1 to 128 of {@code A-Z a-z 0-9 . _ : -}. */
    public static boolean isNodeId(String text) {
        return NODE_ID.matcher(text).matches();
    }
}
