package dev.election.spring.internal.scheduling;

import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import dev.election.ScheduledSlot;
import dev.election.jobs.engine.ClaimedSlot;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The work of a job for one slot, or a part of it. Until the end of the run is recorded it counts as running: a release of leadership must
 * not overtake the record.
 */
final class JobWork extends ForwardingLeaderWork {

    private final ScheduledSlot slot;
    private final @Nullable ClaimedSlot claimed;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param work admitted by the election
     * @param slot for which it is done
     * @param claimed where its end is recorded, {@code null} for a part
     */
    JobWork(LeaderWork work, ScheduledSlot slot, @Nullable ClaimedSlot claimed) {
        super(work);
        this.slot = slot;
        this.claimed = claimed;
    }

    @Override
    public Optional<ScheduledSlot> slot() {
        return Optional.of(slot);
    }

    @Override
    public Optional<LeaderWork> beginPart() {
        return closed.get() ? Optional.empty() : super.beginPart().map(part -> new JobWork(part, slot, null));
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (claimed == null) {
            super.close();
        } else {
            claimed.end(super::close);
        }
    }
}
