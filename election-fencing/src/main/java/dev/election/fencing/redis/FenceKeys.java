package dev.election.fencing.redis;

/** Names of the keys in which the highest tokens are kept. */
final class FenceKeys {

    private final String prefix;

    /**
     * @param prefix what all keys begin with
     */
    FenceKeys(String prefix) {
        this.prefix = prefix;
    }

    /** The key for a resource with that name. */
    String ofResource(String resource) {
        return prefix + ":fence:" + resource;
    }

    /** The key beside a written key: in the same slot of a Cluster, and so with the same hash tag. */
    String beside(String key) {
        return prefix + ":fence:{" + tagOf(key) + "}" + key;
    }

    /** The part of a key from which a Cluster computes the slot. */
    private static String tagOf(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        return close > open + 1 ? key.substring(open + 1, close) : key;
    }
}
