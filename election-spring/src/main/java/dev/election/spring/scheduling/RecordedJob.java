package dev.election.spring.scheduling;

import dev.election.CurrentWork;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.ScheduledSlot;
import dev.election.jobs.engine.JobPlace;
import dev.election.jobs.engine.SlotEngine;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.requests.RunReport;
import dev.election.spring.calls.JobGate;
import dev.election.spring.internal.slot.SlotTaskScheduler;
import dev.election.spring.scheduling.CallByHand.Placed;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job whose runs are recorded. A run by hand excludes others on this node: it begins only while there is none, and the calls of the scheduler
 * wait for its end. Their slots are claimed after that, so they are neither lost nor run twice.
 *
 * @param name of the job
 * @param gates decide on its calls, by election; those of other elections go on
 * @param engine has its places
 * @param history where its runs are recorded
 */
record RecordedJob(String name, Map<String, JobGate.Job> gates, SlotEngine engine, JobHistory history)
        implements JobGate.Job {

    private static final Logger log = LoggerFactory.getLogger(RecordedJob.class);

    private static final Executor THREADS = new DaemonThreads("election-job").unlimited(Duration.ofSeconds(5));

    /**
     * Runs the job now, on a thread of its own. Returns at once; the stage completes when it has begun, or is known not to.
     *
     * @param call calls its method, and never throws
     */
    CompletionStage<RunReport> runByHand(String election, FencingToken token, String requestedBy, Runnable call) {
        JobPlace place = engine.place(election, name);
        if (!place.takeByHand()) {
            return refused("'" + name + "' runs on " + history.node() + " now");
        }
        LeaderWork work = engine.beginWork(election, token).orElse(null);
        if (work == null) {
            place.leaveByHand();
            return refused(history.node() + " admits no work of '" + election
                    + "' now: it recovers, hands over or leads no more");
        }
        log.info("The job '{}' of the election '{}' is run by hand, requested by {}", name, election, requestedBy);
        CallByHand byHand = new CallByHand(name, token, requestedBy, place);
        try {
            THREADS.execute(() -> byHand.make(work, call));
        } catch (Throwable noThread) {
            work.close();
            place.leaveByHand();
            throw noThread;
        }
        return byHand.report();
    }

    private static CompletionStage<RunReport> refused(String why) {
        return CompletableFuture.completedFuture(RunReport.refused(why));
    }

    @Override
    public Optional<LeaderWork> enter(LeaderWork work) {
        CallByHand byHand = CallByHand.of(name);
        if (byHand != null) {
            return byHand.enter(work).flatMap(this::throughGate);
        }
        JobPlace place = engine.place(work.election().name(), name);
        JobPlace.Entry entry = enter(place);
        if (entry == JobPlace.Entry.REFUSED) {
            work.close();
            return Optional.empty();
        }
        Placed placed = new Placed(work, place::leave);
        boolean isOver = entry == JobPlace.Entry.LATE
                && (!work.isCurrent() || engine.isResigning(work.election().name()));
        if (isOver) {
            placed.close();
            return Optional.empty();
        }
        return throughGate(placed);
    }

    /** Waits for a run by hand, but neither in a call by the application itself nor as a part of other work, for which that run may wait. */
    private static JobPlace.Entry enter(JobPlace place) {
        boolean waits =
                SlotTaskScheduler.isCalling() && CurrentWork.get().innermost().isEmpty();
        if (!waits) {
            place.enterBeside();
            return JobPlace.Entry.AT_ONCE;
        }
        try {
            return place.enter();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return JobPlace.Entry.REFUSED;
        }
    }

    private Optional<LeaderWork> throughGate(LeaderWork placed) {
        try {
            return gateOf(placed).enter(placed);
        } catch (Throwable failure) {
            placed.close();
            throw failure;
        }
    }

    @Override
    public LeaderWork begun(LeaderWork work) {
        LeaderWork begun = gateOf(work).begun(work);
        JobWork own = begun instanceof JobWork known ? known : new JobWork(begun, null, null);
        CallByHand byHand = CallByHand.of(name);
        JobHistory.Run run = history.begin(
                own.election().name(),
                name,
                own.slot().map(ScheduledSlot::scheduledAt).orElse(null),
                own.token(),
                byHand == null ? null : byHand.requestedBy());
        if (byHand != null) {
            byHand.begun(history.node());
        }
        return own.running(run);
    }

    private JobGate.Job gateOf(LeaderWork work) {
        return gates.getOrDefault(work.election().name(), Optional::of);
    }
}
