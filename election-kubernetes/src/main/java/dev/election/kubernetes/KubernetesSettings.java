package dev.election.kubernetes;

import org.jspecify.annotations.Nullable;

/**
 * The settings of the store.
 *
 * @param prefix the beginning of the names of all Leases, by which applications in one namespace are told apart
 * @param history how many leaderships of each election are remembered
 * @param pod the pod of this process, which has a label while it leads; {@code null} for no label
 * @param separatedBy the setting that separates the elections of applications, for messages
 */
public record KubernetesSettings(String prefix, int history, @Nullable String pod, String separatedBy) {

    /** The settings of an application that sets none. */
    public static final KubernetesSettings DEFAULT = new KubernetesSettings("election", 20, null, "prefix");

    /** Throws an {@link IllegalArgumentException} for a prefix that can't begin the name of a Lease. */
    public KubernetesSettings {
        if (!prefix.matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?")) {
            throw new IllegalArgumentException(
                    "The prefix of the Leases has 1 to 63 of a-z 0-9 -, with a letter or digit at"
                            + " both ends, but not " + prefix);
        }
    }
}
