package dev.election.redis.bridge;

import dev.election.redis.script.RedisScripts;
import java.util.Locale;
import java.util.concurrent.CompletionStage;

/**
 * The key by which the old scheduler elects, and a note beside it: the token under which a new node wrote the mark, and when an old node
 * was last seen. Every method is one script on one slot of a Cluster.
 */
final class OldKey {

    private final RedisScripts.Script script;
    private final String[] keys;
    private final String ttl;
    private final String format;

    OldKey(RedisScripts scripts, BridgeSettings settings) {
        this.script = scripts.load("bridge-key");
        this.keys = new String[] {settings.key(), note(settings.key())};
        this.ttl = Long.toString(settings.ttl().toMillis());
        this.format = settings.format().name().toLowerCase(Locale.ROOT);
    }

    /** Reads the key, and changes nothing in it. */
    CompletionStage<KeyReply> look() {
        return ask("look", "", 0, "");
    }

    /** Writes or renews the mark of a node if the mark of a new node is there, with no newer token. */
    CompletionStage<KeyReply> keep(String node, long token) {
        return ask("keep", node, token, "");
    }

    /**
     * Writes or renews the mark as {@link #keep} does, and also if there is no value. Needs the lock, since an old node may be about to
     * write its own.
     */
    CompletionStage<KeyReply> claim(String node, long token) {
        return ask("claim", node, token, "");
    }

    /** Replaces an old master by a mark that any new node may replace. */
    CompletionStage<KeyReply> take(String node, String master) {
        return ask("take", node, 0, master);
    }

    /** Deletes the mark that a node has written with a token. */
    CompletionStage<KeyReply> drop(String node, long token) {
        return ask("drop", node, token, "");
    }

    private CompletionStage<KeyReply> ask(String what, String node, long token, String master) {
        return script.run(keys, what, mark(node), format, Long.toString(token), ttl, master)
                .thenApply(KeyReply::of);
    }

    /** The mark that a new node writes into the old key. The script recognizes the marks of all new nodes by their beginning. */
    static String mark(String node) {
        return "election:" + node;
    }

    /** The key of the note, in the slot of the old key: the text within braces determines it, and a name without braces is its own. */
    static String note(String key) {
        return (isTagged(key) ? key : "{" + key + "}") + ":election-bridge";
    }

    /**
     * Refuses a name beside which nothing can be kept in a Cluster.
     *
     * @throws IllegalArgumentException if it has braces that enclose nothing
     */
    static void requireSlot(String key) {
        boolean hasBraces = key.indexOf('{') >= 0 || key.indexOf('}') >= 0;
        if (hasBraces && !isTagged(key)) {
            throw new BridgeSettings.InvalidSetting(
                    BridgeSettings.Setting.KEY,
                    "The braces in the key of the old scheduler enclose nothing, so that nothing can be kept beside it in a Redis Cluster: '"
                            + key + "'");
        }
    }

    private static boolean isTagged(String key) {
        int open = key.indexOf('{');
        return open >= 0 && key.indexOf('}', open) > open + 1;
    }
}
