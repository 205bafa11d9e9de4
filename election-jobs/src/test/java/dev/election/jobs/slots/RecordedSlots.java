package dev.election.jobs.slots;

import org.jspecify.annotations.Nullable;

/** What an entry in a ledger store says, for tests that look into the store. */
public final class RecordedSlots {

    private RecordedSlots() {}

    /** The last slot that was run, {@code null} if none was. */
    public static @Nullable Long last(String entry) {
        return ScheduleSlots.parse(entry).last();
    }

    /** Whether that slot was claimed or will never be run. */
    public static boolean isSettled(String entry, long slot) {
        return ScheduleSlots.parse(entry).isSettled(slot);
    }
}
