package dev.election.spring.scheduling;

import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import dev.election.ScheduledSlot;
import dev.election.jobs.engine.ClaimedSlot;
import dev.election.jobs.history.JobHistory;
import dev.election.spring.internal.shape.FailingWork;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The work of a job, maybe for a slot, or a part of it. Until the end of the run is recorded it counts as running: a release of leadership
 * must not overtake the record.
 */
final class JobWork extends ForwardingLeaderWork implements FailingWork {

    private final @Nullable ScheduledSlot slot;
    private final @Nullable ClaimedSlot claimed;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile JobHistory.@Nullable Run run;
    private volatile @Nullable Throwable failure;

    /**
     * @param work admitted by the election
     * @param slot for which it is done, {@code null} for none
     * @param claimed where the end of the slot is recorded, {@code null} for a part and for a job without a slot
     */
    JobWork(LeaderWork work, @Nullable ScheduledSlot slot, @Nullable ClaimedSlot claimed) {
        super(work);
        this.slot = slot;
        this.claimed = claimed;
    }

    /** Sets the run, which ends with the work. */
    JobWork running(JobHistory.Run begun) {
        run = begun;
        return this;
    }

    @Override
    public void failed(Throwable reason) {
        failure = reason;
    }

    @Override
    public Optional<ScheduledSlot> slot() {
        return slot == null ? super.slot() : Optional.of(slot);
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
        try {
            if (run != null) {
                run.end(failure);
            }
        } finally {
            if (claimed == null) {
                super.close();
            } else {
                claimed.end(super::close);
            }
        }
    }
}
