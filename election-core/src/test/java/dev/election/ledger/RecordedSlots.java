package dev.election.ledger;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an entry in a logbook says, for tests that look into the store. */
public final class RecordedSlots {

    private RecordedSlots() {}

    /** The last slot that was run, {@code null} if none was. */
    public static @Nullable Long last(String entry) {
        return ScheduleSlots.parse(entry).last();
    }

    /** The last slot up to which all are settled, and those after it that were claimed. */
    public static Set<Long> claimed(String entry) {
        String[] part = entry.split(" ", 3);
        Set<Long> slots = new HashSet<>(Set.of(Long.valueOf(part[0])));
        if (part.length > 2) {
            Stream.of(part[2].split(",", -1)).map(Long::valueOf).forEach(slots::add);
        }
        return slots;
    }
}
