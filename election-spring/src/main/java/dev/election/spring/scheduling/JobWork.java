package dev.election.spring.scheduling;

import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import dev.election.ScheduledSlot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** The work of a job for one slot. Until its end is recorded it counts as running: a release of leadership must not overtake the record. */
final class JobWork extends ForwardingLeaderWork {

    private final ScheduledSlot slot;
    private final Supplier<CompletionStage<Boolean>> recordEnd;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * @param work admitted by the election
     * @param slot for which it is done
     * @param recordEnd records that it has ended; completes, never by failing, when the store has answered or won't
     */
    JobWork(LeaderWork work, ScheduledSlot slot, Supplier<CompletionStage<Boolean>> recordEnd) {
        super(work);
        this.slot = slot;
        this.recordEnd = recordEnd;
    }

    /** Completed when the work has ended. */
    CompletionStage<Void> ended() {
        return ended;
    }

    @Override
    public Optional<ScheduledSlot> slot() {
        return Optional.of(slot);
    }

    @Override
    public Optional<LeaderWork> beginPart() {
        return closed.get() ? Optional.empty() : super.beginPart().map(part -> new Part(part, slot));
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            CompletionStage<Boolean> unused = recordEnd.get().whenComplete((recorded, failure) -> {
                super.close();
                ended.complete(null);
            });
        }
    }

    /** A part of the work, for the same slot. */
    private static final class Part extends ForwardingLeaderWork {

        private final ScheduledSlot slot;

        private Part(LeaderWork work, ScheduledSlot slot) {
            super(work);
            this.slot = slot;
        }

        @Override
        public Optional<ScheduledSlot> slot() {
            return Optional.of(slot);
        }

        @Override
        public Optional<LeaderWork> beginPart() {
            return super.beginPart().map(part -> new Part(part, slot));
        }
    }
}
