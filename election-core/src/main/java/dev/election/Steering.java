package dev.election;

import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who should lead: how a process orders the candidates of its elections, and when it hands leadership over by itself. A process with
 * steering can be drained. It needs a store that keeps members, and is a member.
 *
 * @param priority of this process in elections without a priority of their own; the highest one should lead
 * @param priorities of this process in single elections, by name
 * @param prefer which of several candidates with the same priority should lead
 * @param preferZone the zone whose candidates should lead before others of the same priority, empty for none
 * @param drainedOnStart whether this process is drained from its start on
 * @param preempt whether this process, as the leader, hands over to a better candidate
 * @param minimumTenure how long it leads at least before it hands over by itself
 * @param maximumTenure how long it leads before it hands over to any other candidate, {@code null} without limit
 * @param abdicateWhenDown whether this process is told its health ({@link ElectionEngine#reportHealth}) and, as the leader, hands over to a candidate that is
 *     up while it is down itself
 */
public record Steering(
        int priority,
        Map<String, Integer> priorities,
        Preference prefer,
        String preferZone,
        boolean drainedOnStart,
        boolean preempt,
        Duration minimumTenure,
        @Nullable Duration maximumTenure,
        boolean abdicateWhenDown) {

    /** How long a leader leads at least before it hands over by itself, unless said. */
    public static final Duration MINIMUM_TENURE = Duration.ofMinutes(1);

    /** How many leaderships of each election, with the present one, a store has to keep so that a leader waits longer after each hand-over. */
    public static final int LEADERSHIPS_NEEDED = 11;

    public Steering {
        priorities = Map.copyOf(priorities);
        if (minimumTenure.isNegative()) {
            throw new IllegalArgumentException(
                    "The minimum tenure can't be negative: " + ReadableDuration.of(minimumTenure));
        }
        if (maximumTenure != null && maximumTenure.compareTo(minimumTenure) < 0) {
            throw new IllegalArgumentException("The maximum tenure (" + ReadableDuration.of(maximumTenure)
                    + ") can't be shorter than the minimum tenure (" + ReadableDuration.of(minimumTenure) + ")");
        }
        minimumTenure = Election.bounded(minimumTenure);
        maximumTenure = maximumTenure == null ? null : Election.bounded(maximumTenure);
    }

    /** Every candidate is as good as any other, and can be drained. */
    public static Steering none() {
        return new Steering(0, Map.of(), Preference.NONE, "", false, false, MINIMUM_TENURE, null, false);
    }

    /** The same with another priority. */
    public Steering priority(int newPriority) {
        return new Steering(
                newPriority,
                priorities,
                prefer,
                preferZone,
                drainedOnStart,
                preempt,
                minimumTenure,
                maximumTenure,
                abdicateWhenDown);
    }

    /** The same with another priority in one election. */
    public Steering priority(String election, int newPriority) {
        Map<String, Integer> more = new HashMap<>(priorities);
        more.put(election, newPriority);
        return new Steering(
                priority,
                more,
                prefer,
                preferZone,
                drainedOnStart,
                preempt,
                minimumTenure,
                maximumTenure,
                abdicateWhenDown);
    }

    /** The same with another preference. */
    public Steering prefer(Preference preference) {
        return new Steering(
                priority,
                priorities,
                preference,
                preferZone,
                drainedOnStart,
                preempt,
                minimumTenure,
                maximumTenure,
                abdicateWhenDown);
    }

    /** The same with a preferred zone, or without one if it is empty. */
    public Steering preferZone(String zone) {
        return new Steering(
                priority,
                priorities,
                prefer,
                zone,
                drainedOnStart,
                preempt,
                minimumTenure,
                maximumTenure,
                abdicateWhenDown);
    }

    /** The same, drained from the start on or not. */
    public Steering drainedOnStart(boolean isDrained) {
        return new Steering(
                priority,
                priorities,
                prefer,
                preferZone,
                isDrained,
                preempt,
                minimumTenure,
                maximumTenure,
                abdicateWhenDown);
    }

    /** The same, handing over to better candidates or not. */
    public Steering preempt(boolean isPreempting) {
        return new Steering(
                priority,
                priorities,
                prefer,
                preferZone,
                drainedOnStart,
                isPreempting,
                minimumTenure,
                maximumTenure,
                abdicateWhenDown);
    }

    /**
     * The same with other bounds of a tenure.
     *
     * @param maximum {@code null} without limit
     */
    public Steering tenure(Duration minimum, @Nullable Duration maximum) {
        return new Steering(
                priority, priorities, prefer, preferZone, drainedOnStart, preempt, minimum, maximum, abdicateWhenDown);
    }

    /** The same, handing over while it is down or not. */
    public Steering abdicateWhenDown(boolean isWatched) {
        return new Steering(
                priority,
                priorities,
                prefer,
                preferZone,
                drainedOnStart,
                preempt,
                minimumTenure,
                maximumTenure,
                isWatched);
    }

    /** Whether the candidates are not all alike to this process. */
    public boolean hasPreferences() {
        return prefer != Preference.NONE || !preferZone.isEmpty();
    }

    /** Whether this process ever hands leadership over by itself. */
    public boolean handsOver() {
        return preempt || maximumTenure != null || abdicateWhenDown;
    }
}
