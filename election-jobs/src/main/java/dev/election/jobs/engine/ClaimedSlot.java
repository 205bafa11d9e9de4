package dev.election.jobs.engine;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.ScheduleSlots;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A slot that this node has claimed, until its run has ended. Each step is recorded for a successor, in that order. Used by the thread that
 * runs the job; {@link #end} may be called by any.
 */
public final class ClaimedSlot {

    private final SlotEngine engine;
    private final LeaderWork work;
    private final SchedulerLedger ledger;
    private final SlotId slot;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    /** Completed when the latest record for successors is written. */
    private volatile CompletionStage<Boolean> written = CompletableFuture.completedFuture(true);

    /** Whether a successor finds an entry of the slot. */
    private volatile boolean isMarked;

    private volatile boolean begun;

    ClaimedSlot(SlotEngine engine, LeaderWork work, SchedulerLedger ledger, SlotId slot) {
        this.engine = engine;
        this.work = work;
        this.ledger = ledger;
        this.slot = slot;
    }

    ClaimedSlot claim(Instant now, String claim) {
        isMarked = true;
        written = ledger.claim(slot.schedule(), now.toEpochMilli(), Map.of(slot.id(), claim));
        return this;
    }

    ClaimedSlot run(@Nullable String mark, Function<Map<String, String>, CompletionStage<Boolean>> record) {
        begun = true;
        isMarked = mark != null;
        written = record.apply(mark == null ? Map.of() : Map.of(slot.id(), mark));
        return this;
    }

    SlotId slot() {
        return slot;
    }

    /** The token of the leadership under which it is claimed. */
    public FencingToken token() {
        return work.token();
    }

    /** Waits for the answer of the store. Returns whether it has confirmed the claim, and the leadership still holds. */
    public boolean isConfirmed() {
        return isRecorded() && work.isCurrent();
    }

    /** Waits for the answer of the store. Returns whether it has the latest record. */
    public boolean isRecorded() {
        return ledger.isConfirmed(written);
    }

    /**
     * Records that the job begins.
     *
     * @param mark what a successor has to know of it while it runs, {@code null} for nothing
     */
    public void begin(@Nullable String mark) {
        if (begun) {
            return;
        }
        begun = true;
        isMarked = mark != null;
        written = mark == null
                ? ledger.recordRunning(Map.of(), Set.of(slot.id()))
                : ledger.recordRunning(Map.of(slot.id(), mark), Set.of());
    }

    /** Whether the job has begun. */
    public boolean isBegun() {
        return begun;
    }

    /**
     * Records the end of the run, or that the slot is given up, in the latest ledger of this node.
     *
     * @param recorded called when the store has answered, or won't
     */
    public void end(Runnable recorded) {
        engine.ended(work.election().name(), slot.id());
        if (isMarked) {
            SchedulerLedger latest = engine.ledger(work.election().name());
            written = (latest == null ? ledger : latest).recordRunning(Map.of(), Set.of(slot.id()));
        }
        CompletionStage<Boolean> unused = written.whenComplete((done, failure) -> {
            try {
                recorded.run();
            } finally {
                ended.complete(null);
            }
        });
    }

    /** Waits at the end for that record, too. */
    public void writing(CompletionStage<Boolean> record) {
        written = record;
    }

    /** Completed when the end of the run was recorded, or won't be. */
    public CompletionStage<Void> ended() {
        return ended;
    }

    /**
     * Takes the claim back, since the job does not begin now: a later leader must not find it. A catch-up makes up for the slot, here or on
     * the next leader.
     *
     * @param catchUp the name of the catch-up
     * @param from where it begins
     * @param now by the clock of the scheduler
     */
    public void takeBack(String catchUp, long from, long now) {
        ScheduleSlots slots = ledger.slots(slot.schedule());
        slots.catchUp(catchUp, from);
        slots.release(slot.time());
        forget(now, Set.of(slot.id()));
    }

    /** Takes back that a slot is run again, whose entry by an earlier leader is left to a successor. */
    public void leave(long now) {
        forget(now, Set.of());
    }

    private void forget(long now, Set<String> entries) {
        engine.ended(work.election().name(), slot.id());
        isMarked = false;
        written = ledger.record(slot.schedule(), now, Map.of(), entries);
    }
}
