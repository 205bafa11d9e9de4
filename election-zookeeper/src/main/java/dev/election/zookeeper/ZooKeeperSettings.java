package dev.election.zookeeper;

/**
 * The settings of the store.
 *
 * @param prefix the node below which all others are, by which applications with one ensemble are told apart
 * @param history how many leaderships of each election are remembered
 * @param separatedBy the setting that separates the elections of applications, for messages
 */
public record ZooKeeperSettings(String prefix, int history, String separatedBy) {

    /** The settings of an application that sets none. */
    public static final ZooKeeperSettings DEFAULT = new ZooKeeperSettings("election", 20, "prefix");

    /** Throws an {@link IllegalArgumentException} for a prefix that can't be the name of a node. */
    public ZooKeeperSettings {
        if (!prefix.matches("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?") || prefix.equals("zookeeper")) {
            throw new IllegalArgumentException(
                    "The prefix of the nodes has 1 to 63 of A-Z a-z 0-9 - _ ., with a letter or"
                            + " digit at both ends, and is not 'zookeeper', but is '" + prefix + "'");
        }
    }
}
