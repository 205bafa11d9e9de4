package dev.election.zookeeper.internal;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The paths of keys: {@code <root>/<folder>/<key>}. The folder is the part of the key before its first slash, so that the members can be listed alone,
 * and a watch of elections does not hear of each beat.
 *
 * @param root the path below which all nodes are
 */
record NodePaths(String root) {

    /** The folder of keys without a slash, which are elections. */
    private static final String ELECTIONS = "elections";

    /** Returns the folder of a key, or of all keys that begin with a prefix that has a slash. */
    String folder(String key) {
        int slash = key.indexOf('/');
        return root + "/" + (slash < 0 ? ELECTIONS : escaped(key.substring(0, slash)));
    }

    /** Whether that node is one of an election. */
    boolean isOfElection(String path) {
        return path.startsWith(folder("") + "/");
    }

    String of(String key) {
        return folder(key) + "/" + escaped(key);
    }

    /** Returns the key of a node, empty for a name that no key has. */
    static Optional<String> key(String name) {
        try {
            return Optional.of(URLDecoder.decode(name, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException another) {
            return Optional.empty();
        }
    }

    static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** A name has no slash, and is not one or two dots. */
    private static String escaped(String text) {
        String escaped = URLEncoder.encode(text, StandardCharsets.UTF_8);
        return escaped.matches("\\.\\.?") ? escaped.replace(".", "%2E") : escaped;
    }
}
