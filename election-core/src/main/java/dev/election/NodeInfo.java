package dev.election;

import dev.election.support.OneLine;
import java.util.HashMap;
import java.util.Map;

/**
 * The description of a node for other nodes. Stores keep it as one text, so that they need not know its parts.
 *
 * @param id the id of the node
 * @param address where the node is reached, as it says: the URI of its web server, or its host name if it has none
 * @param application the name of its application, by which two applications that share an election by mistake are found; empty if
 *     it has none
 */
public record NodeInfo(String id, String address, String application) {

    private static final int LONGEST_APPLICATION = 128;

    /** Throws an {@link IllegalArgumentException} for an id that no node may have. */
    public NodeInfo {
        if (!Leader.isNodeId(id)) {
            throw new IllegalArgumentException(
                    "The node id must be 1 to 128 of A-Z a-z 0-9 . _ : - but is '" + id + "'");
        }
        application = applicationName(application);
    }

    /** Creates a node of an application without a name. */
    public NodeInfo(String id, String address) {
        this(id, address, "");
    }

    /** Creates a node whose id is the name of the host with a random suffix, another one at each call, so that two processes on one host differ. */
    public static NodeInfo ofThisHost() {
        return ThisHost.node();
    }

    /** Writes this node as a line {@code name=value} for each part, without a line end at the last. */
    public String text() {
        return "id=" + OneLine.escaped(id) + "\naddress=" + OneLine.escaped(address) + "\napplication="
                + OneLine.escaped(application);
    }

    /** Returns this node with another application name. */
    public NodeInfo ofApplication(String name) {
        return new NodeInfo(id, address, name);
    }

    /** The name of an application as it is shown: on one line, and at most 128 characters long. */
    public static String applicationName(String text) {
        return OneLine.shown(text, LONGEST_APPLICATION);
    }

    /**
     * Reads a text of {@link #text}. Parts that are unknown here are skipped; the address and the application are empty where they are missing.
     *
     * @throws IllegalArgumentException if the text has no id that a node may have
     */
    public static NodeInfo parse(String text) {
        Map<String, String> parts = new HashMap<>();
        OneLine.parts(text, parts::put);
        return new NodeInfo(
                parts.getOrDefault("id", ""), parts.getOrDefault("address", ""), parts.getOrDefault("application", ""));
    }
}
