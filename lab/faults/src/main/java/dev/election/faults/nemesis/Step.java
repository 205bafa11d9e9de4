package dev.election.faults.nemesis;

import java.util.Locale;

/**
 * A fault within an episode.
 *
 * @param fault what
 * @param target whom
 * @param delay from the begin of the episode, in leases
 * @param length of the fault, in leases
 * @param seed for what is drawn when it is injected
 */
record Step(Fault fault, Target target, double delay, double length, long seed) {

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s of %s at %.2f for %.2f leases", fault.name(), target, delay, length);
    }
}
