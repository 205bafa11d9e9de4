package dev.election.redis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** How often guards were evaluated, each by its operation and name: how often they let pass, and how often they took effect. */
final class GuardCounts {

    private final Map<String, Outcomes> counts = new TreeMap<>();

    /** A guard was evaluated. */
    void add(String guard, boolean tookEffect) {
        counts.merge(guard, tookEffect ? new Outcomes(0, 1) : new Outcomes(1, 0), Outcomes::plus);
    }

    void addAll(GuardCounts others) {
        others.counts.forEach((guard, outcomes) -> counts.merge(guard, outcomes, Outcomes::plus));
    }

    Set<String> guards() {
        return counts.keySet();
    }

    /** Those of which one outcome came up less often than that. */
    List<String> rarerThan(long bound) {
        return counts.entrySet().stream()
                .filter(guard -> guard.getValue().rarer() < bound)
                .map(guard -> guard.getKey() + " " + guard.getValue())
                .toList();
    }

    @Override
    public String toString() {
        return counts.toString();
    }

    private record Outcomes(long letPass, long tookEffect) {

        Outcomes plus(Outcomes others) {
            return new Outcomes(letPass + others.letPass, tookEffect + others.tookEffect);
        }

        long rarer() {
            return Math.min(letPass, tookEffect);
        }
    }
}
