package dev.election.record;

import dev.election.record.StoredElection.Ends;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Computes the ends of a record in a store without a clock. Each end has the id of the write that set it, and a process counts its length on
 * its own monotonic clock from when it first saw that id. So a lease that others hold lasts here for at least as long as its holder counts
 * it, and a write that leaves an end as it is delays it for nobody. The time at which others saw the end does not count: a lock delay lasts
 * for its whole length here, too.
 */
final class ObservedClock {

    private Sight lease = new Sight(null, 0);
    private Sight lockDelay = new Sight(null, 0);

    /**
     * The end that was seen last.
     *
     * @param id the write that set it, {@code null} if there was none
     * @param since the monotonic clock when it was first seen
     */
    private record Sight(@Nullable String id, long since) {

        /** @param write the own write that was answered now: its event may have come before, at a later time; {@code null} for a sight */
        Sight next(@Nullable String present, long nanos, @Nullable String write) {
            boolean isEarlier = present != null && present.equals(write) && nanos - since < 0;
            return Objects.equals(present, id) && !isEarlier ? this : new Sight(present, nanos);
        }

        long began(long millis, long nanos) {
            return millis - (nanos - since) / 1_000_000;
        }
    }

    /** Returns the record with its ends as this process observes them, in the time that it reads on its own clocks now. */
    synchronized ElectionRecord observe(StoredElection seen, long millis, long nanos) {
        see(seen.ends(), nanos);
        return seen.record().begun(lease.began(millis, nanos), lockDelay.began(millis, nanos));
    }

    /** Notes that a record has these ends, since that time at the latest. */
    synchronized void see(Ends ends, long nanos) {
        next(ends, nanos, null);
    }

    /** Notes that a record has these ends after a write of this process, which was decided at that time. */
    synchronized void wrote(String write, Ends ends, long nanos) {
        next(ends, nanos, write);
    }

    private void next(Ends ends, long nanos, @Nullable String write) {
        lease = lease.next(ends.lease(), nanos, write);
        lockDelay = lockDelay.next(ends.lockDelay(), nanos, write);
    }
}
