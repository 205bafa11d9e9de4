package dev.election;

import dev.election.support.PartitionName;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The preferences for who should lead: how a process orders the candidates of its elections, and when it hands leadership over by itself. A
 * process with steering is a member and can be drained; its store must keep members. The order is not binding: another candidate may lead for
 * a while.
 *
 * @param priority of this process in elections without a priority of their own; the highest one should lead
 * @param priorities of this process in single elections, by name
 * @param prefer which of several candidates with the same priority should lead
 * @param preferZone the zone whose candidates should lead before others of the same priority, empty for none
 * @param drainedOnStart whether this process is drained from its start on
 * @param preempt whether this process, as the leader, hands over to a better candidate
 * @param minimumTenure how long it leads at least before it hands over by itself
 * @param maximumTenure how long it leads before it hands over to any other candidate, {@code null} without limit
 * @param balance whether elections without a setting of their own are balanced: among candidates that are equal otherwise, each leads as many
 * @param balances whether single elections are balanced, by name; those of a group of partitions by {@code <group>.*}
 * @param abdicateWhenDown whether the health of this process is reported ({@link ElectionEngine#reportHealth}) and, as the leader, it hands over
 *     to a candidate that is up while it is down itself
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
        boolean balance,
        Map<String, Boolean> balances,
        boolean abdicateWhenDown) {

    /** The default of the minimum tenure. */
    public static final Duration MINIMUM_TENURE = Duration.ofMinutes(1);

    /**
     * The number of leaderships of each election, with the present one, that a store must keep so that a leader waits longer after each hand-over.
     */
    public static final int LEADERSHIPS_NEEDED = 11;

    /** Throws an {@link IllegalArgumentException} for a negative minimum tenure, or a maximum that is shorter. */
    public Steering {
        priorities = Map.copyOf(priorities);
        balances = Map.copyOf(balances);
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

    /** Returns no preferences: all candidates are equal. The process can still be drained. */
    public static Steering none() {
        return new Steering(
                0, Map.of(), Preference.NONE, "", false, false, MINIMUM_TENURE, null, false, Map.of(), false);
    }

    /** Returns these preferences with another priority. */
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
                balance,
                balances,
                abdicateWhenDown);
    }

    /** Returns these preferences with another priority in one election. */
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
                balance,
                balances,
                abdicateWhenDown);
    }

    /** Returns these preferences with another choice among candidates of the same priority. */
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
                balance,
                balances,
                abdicateWhenDown);
    }

    /** Returns these preferences with a preferred zone, or without one if it is empty. */
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
                balance,
                balances,
                abdicateWhenDown);
    }

    /** Returns these preferences, with this process drained from its start on or not. */
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
                balance,
                balances,
                abdicateWhenDown);
    }

    /** Returns these preferences, with this process handing over to better candidates or not. */
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
                balance,
                balances,
                abdicateWhenDown);
    }

    /**
     * Returns these preferences with other bounds of a tenure.
     *
     * @param maximum {@code null} without limit
     */
    public Steering tenure(Duration minimum, @Nullable Duration maximum) {
        return new Steering(
                priority,
                priorities,
                prefer,
                preferZone,
                drainedOnStart,
                preempt,
                minimum,
                maximum,
                balance,
                balances,
                abdicateWhenDown);
    }

    /** Returns these preferences, with elections balanced or not that have no setting of their own. */
    public Steering balance(boolean isBalanced) {
        return balanced(isBalanced, balances);
    }

    /** Returns these preferences, with one election balanced or not. */
    public Steering balance(String election, boolean isBalanced) {
        Map<String, Boolean> more = new HashMap<>(balances);
        more.put(election, isBalanced);
        return balanced(balance, more);
    }

    private Steering balanced(boolean all, Map<String, Boolean> single) {
        return new Steering(
                priority,
                priorities,
                prefer,
                preferZone,
                drainedOnStart,
                preempt,
                minimumTenure,
                maximumTenure,
                all,
                single,
                abdicateWhenDown);
    }

    /** Returns these preferences, with this process handing over while it is down or not. */
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
                balance,
                balances,
                isWatched);
    }

    /** Whether this process prefers some candidates to others of the same priority. */
    public boolean hasPreferences() {
        return prefer != Preference.NONE || !preferZone.isEmpty();
    }

    /** Whether this process balances an election. */
    public boolean balances(String election) {
        return PartitionName.setting(balances, election, balance);
    }

    /** Whether this process ever hands leadership over by itself, but for balance. */
    public boolean handsOver() {
        return preempt || maximumTenure != null || abdicateWhenDown;
    }
}
