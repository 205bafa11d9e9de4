package dev.election.redis;

import java.util.regex.Pattern;

/**
 * The keys of all elections in a Redis. All nodes of an election must use the same key space.
 *
 * @param prefix what all keys and channels begin with
 * @param hashTag puts all elections into one slot of a Cluster, so that one script serves many of them; empty to spread them over the slots
 */
public record RedisKeySpace(String prefix, String hashTag) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    /** Checks the names. */
    public RedisKeySpace {
        require("key prefix", prefix);
        if (!hashTag.isEmpty()) {
            require("hash tag", hashTag);
        }
    }

    /** Creates a key space without a hash tag: each election has a slot of its own. */
    public static RedisKeySpace of(String prefix) {
        return new RedisKeySpace(prefix, "");
    }

    /** Returns this key space with all elections in the slot of a hash tag. */
    public RedisKeySpace withHashTag(String tag) {
        return new RedisKeySpace(prefix, tag);
    }

    /** Description for the log. */
    String described() {
        return "key prefix '" + prefix + "'" + (hashTag.isEmpty() ? "" : ", hash tag '" + hashTag + "'");
    }

    /** The name of a key of an election. The braces keep all keys of one election in one slot. */
    String key(String election, String what) {
        return hashTag.isEmpty()
                ? prefix + ":{" + election + "}:" + what
                : prefix + ":{" + hashTag + "}:" + election + ":" + what;
    }

    private static void require(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The " + what + " must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + name + "'");
        }
    }
}
