package dev.election.etcd;

/**
 * The settings of the store.
 *
 * @param prefix the beginning of all keys, before a slash, by which applications that share an etcd are told apart
 * @param history how many leaderships of each election are remembered
 * @param separatedBy the setting that separates the elections of applications, for messages
 */
public record EtcdSettings(String prefix, int history, String separatedBy) {

    /** The settings of an application that sets none. */
    public static final EtcdSettings DEFAULT = new EtcdSettings("election", 100, "prefix");

    /** Throws an {@link IllegalArgumentException} for a prefix that is empty or ends with a slash. */
    public EtcdSettings {
        if (prefix.isBlank() || prefix.endsWith("/")) {
            throw new IllegalArgumentException(
                    "The prefix of the keys is not empty and has no slash at its end, but is '" + prefix + "'");
        }
    }
}
