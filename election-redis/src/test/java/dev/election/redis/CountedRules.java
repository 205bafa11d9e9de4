package dev.election.redis;

import dev.election.record.Guard;
import dev.election.record.LeaseRules;
import org.jspecify.annotations.Nullable;

/** The rules, which count each evaluation of a guard, and may lack one. */
final class CountedRules extends LeaseRules {

    private final GuardCounts counts;
    private final @Nullable String missing;

    private String operation = "";

    /**
     * Rules to be compared.
     *
     * @param counts where the guards are counted
     * @param missing the guard to leave out, as operation and guard; {@code null} for none
     */
    CountedRules(int remembered, GuardCounts counts, @Nullable String missing) {
        super(remembered);
        this.counts = counts;
        this.missing = missing;
    }

    /** What follows decides such a request. */
    void begin(String operation) {
        this.operation = operation;
    }

    @Override
    protected boolean protects(Guard guard, boolean condition) {
        String name = operation + " " + guard;
        counts.add(name, condition);
        return condition && !name.equals(missing);
    }
}
