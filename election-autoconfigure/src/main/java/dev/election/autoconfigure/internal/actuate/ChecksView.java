package dev.election.autoconfigure.internal.actuate;

import java.util.List;

/**
 * The checks after the start, as the endpoint shows them.
 *
 * @param pending how many could not be completed yet and are repeated
 * @param findings of the others
 */
public record ChecksView(int pending, List<FindingView> findings) {

    /**
     * A problem that a check has found.
     *
     * @param problem what is wrong and what it causes
     * @param action what to do about it
     */
    public record FindingView(String problem, String action) {}
}
