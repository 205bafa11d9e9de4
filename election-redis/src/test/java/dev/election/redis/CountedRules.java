package dev.election.redis;

import dev.election.store.Guard;
import dev.election.store.LeaseRules;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rules, which count where their guards took effect, and may lack one. */
final class CountedRules extends LeaseRules {

    private final Map<String, long[]> counts = new TreeMap<>();
    private final Set<Guard> effective = EnumSet.noneOf(Guard.class);
    private final Set<Guard> reached = EnumSet.noneOf(Guard.class);
    private final @Nullable String missing;

    private String operation = "";

    /**
     * Rules to be compared.
     *
     * @param missing the guard to leave out, as operation and guard; {@code null} for none
     */
    CountedRules(int remembered, Duration comeback, @Nullable String missing) {
        super(remembered, comeback);
        this.missing = missing;
    }

    /** What follows decides such a request. */
    void begin(String operation) {
        this.operation = operation;
        effective.clear();
        reached.clear();
    }

    /** The request is decided: each guard counts once, as one that took effect in it or did not. */
    void end() {
        for (Guard guard : Guard.values()) {
            boolean isKnown = counts.containsKey(operation + " " + guard);
            if (isKnown || reached.contains(guard)) {
                counts.computeIfAbsent(operation + " " + guard, name -> new long[2])[
                        effective.contains(guard) ? 1 : 0]++;
            }
        }
    }

    /** For each operation and guard: how many requests it had no effect on, and on how many it had one. */
    Map<String, long[]> counts() {
        return counts;
    }

    @Override
    protected boolean protects(Guard guard, boolean condition) {
        reached.add(guard);
        if (condition) {
            effective.add(guard);
        }
        return condition && !(operation + " " + guard).equals(missing);
    }
}
