package dev.election.spring.scheduling;

import dev.election.FencingToken;
import dev.election.jobs.ledger.SchedulerLedger;
import dev.election.jobs.slots.SlotClaim;
import dev.election.spring.internal.slot.SlotCall;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Runs jobs, and knows which of them run on this node. */
interface JobRunner {

    /** Whether this node has that leadership of the job's election. */
    boolean leads(ScheduledJob job, FencingToken token);

    /** Whether this node begins nothing new, since it is about to hand over the job's election. */
    boolean isResigning(ScheduledJob job);

    /** Runs a task on a thread of the scheduler that calls the job. */
    default void soon(ScheduledJob job, Runnable task) {
        later(job, Duration.ZERO, task);
    }

    /** Runs a task on a thread of the scheduler that calls the job, after a pause. */
    void later(ScheduledJob job, Duration pause, Runnable task);

    /** Calls the method of a job on this thread. Never throws. */
    void call(ScheduledJob job, SlotCall call);

    /** The jobs of this node that can't start for now. */
    UnconfirmedStarts unconfirmed();

    /** Logs slots of jobs of this node that are not run, or late. */
    SlotLog slotLog();

    /** Notes that the run of that id begins on this node. */
    void begun(String id);

    /** Forgets the run of that id, which has not begun after all. */
    void forget(String id);

    /** The name of this node. */
    String node();

    /** Records that a slot which an earlier leader has claimed is not run under that leadership, since it is not known to have begun. */
    void notBegun(ScheduledJob job, long slot, SlotClaim claim, FencingToken token);

    /**
     * Records the end of a run, in the latest ledger of this node or else in that one. Completes, never by failing, when the store has
     * answered or won't.
     */
    CompletionStage<Boolean> ended(ScheduledJob job, String id, SchedulerLedger ledger);

    /** Whether the run of that id goes on on this node, maybe since an earlier leadership. */
    boolean isRunning(String id);
}
