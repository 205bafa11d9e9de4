package dev.election.autoconfigure.internal.actuate.parameters;

import org.jspecify.annotations.Nullable;

/**
 * The reason of a request. It travels with the name of the requester, the only text that messages, orders in the store and the history have
 * for it: nodes of each version show it, and none has to read a new field.
 */
public final class Reason {

    /** Leaves room for the names of the requester and of the node, which follows the reason. */
    private static final int LONGEST = 100;

    private Reason() {}

    /**
     * The requester with the reason.
     *
     * @throws IllegalArgumentException if the reason is too long to be kept
     */
    public static String of(String requester, @Nullable String reason) {
        if (reason == null || reason.isBlank()) {
            return requester;
        }
        if (reason.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "reason: must have at most " + LONGEST + " characters but has " + reason.length());
        }
        return requester + " (" + reason.strip() + ")";
    }
}
