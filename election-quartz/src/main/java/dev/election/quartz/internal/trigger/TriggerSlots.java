package dev.election.quartz.internal.trigger;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.quartz.TriggerKey;

/** Slots of several triggers, for one line of the log: a new leader may find slots of hundreds of triggers at a time. */
public record TriggerSlots(Missed slots, Set<TriggerKey> triggers) {

    /** How many triggers are named. */
    private static final int NAMED = 3;

    public TriggerSlots(Missed slots, TriggerKey trigger) {
        this(slots, Set.of(trigger));
    }

    public TriggerSlots and(TriggerSlots other) {
        Set<TriggerKey> all = new LinkedHashSet<>(triggers);
        all.addAll(other.triggers);
        return new TriggerSlots(slots.and(other.slots), all);
    }

    @Override
    public String toString() {
        String named = triggers.stream().limit(NAMED).map(TriggerKey::toString).collect(Collectors.joining(", "));
        int more = triggers.size() - NAMED;
        return slots + " of " + named + (more > 0 ? " and " + more + " more trigger" + (more == 1 ? "" : "s") : "");
    }
}
