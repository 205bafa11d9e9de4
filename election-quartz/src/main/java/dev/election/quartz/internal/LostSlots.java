package dev.election.quartz.internal;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.quartz.TriggerKey;

/** Slots that a new leader does not fire, for one reason. */
record LostSlots(Missed slots, List<TriggerKey> triggers) {

    /** How many triggers are named. */
    private static final int NAMED = 3;

    LostSlots and(LostSlots other) {
        return new LostSlots(
                slots.and(other.slots),
                Stream.concat(triggers.stream(), other.triggers.stream()).toList());
    }

    @Override
    public String toString() {
        String named = triggers.stream().limit(NAMED).map(TriggerKey::toString).collect(Collectors.joining(", "));
        int more = triggers.size() - NAMED;
        return slots + " of " + named + (more > 0 ? " and " + more + " more triggers" : "");
    }
}
