package dev.election.record;

import java.util.Set;

/** The rules without some of their guards. */
public final class RulesWithout extends LeaseRules {

    private final Set<Guard> missing;

    public RulesWithout(Set<Guard> missing, int remembered) {
        super(remembered);
        this.missing = missing;
    }

    @Override
    protected boolean protects(Guard guard, boolean condition) {
        return condition && !missing.contains(guard);
    }
}
