package dev.election.spring.scheduling;

import dev.election.FencingToken;
import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import dev.election.jobs.engine.JobPlace;
import dev.election.jobs.requests.RunReport;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The call of the method of a job by hand, from the request to the guard of the method, which takes it from the thread. */
final class CallByHand {

    private static final ThreadLocal<@Nullable CallByHand> CURRENT = new ThreadLocal<>();

    private final String job;
    private final FencingToken token;
    private final String requestedBy;
    private final JobPlace place;
    private final CompletableFuture<RunReport> report = new CompletableFuture<>();
    private boolean entered;

    /**
     * @param token of the leadership for which it is made
     * @param place of the job, which this call has taken
     */
    CallByHand(String job, FencingToken token, String requestedBy, JobPlace place) {
        this.job = job;
        this.token = token;
        this.requestedBy = requestedBy;
        this.place = place;
    }

    /** The call by hand of that job that this thread makes, {@code null} if it makes none, or that has begun. */
    static @Nullable CallByHand of(String job) {
        CallByHand call = CURRENT.get();
        return call != null && call.job.equals(job) ? call : null;
    }

    String requestedBy() {
        return requestedBy;
    }

    /** Completed when the job has begun, or is known not to. */
    CompletionStage<RunReport> report() {
        return report;
    }

    /** Makes the call on this thread, as a part of that work, so that its guard admits it unless leadership is lost. */
    void make(LeaderWork work, Runnable method) {
        CURRENT.set(this);
        try (work;
                LeaderWork.Scope scope = work.onThisThread()) {
            method.run();
        } finally {
            CURRENT.remove();
            if (!entered) {
                place.leaveByHand();
            }
            report.complete(
                    entered
                            ? RunReport.refused("The guard of '" + job
                                    + "' withholds it: atLeastFor is not over, or the store does not confirm its start")
                            : new RunReport(
                                    RunReport.Outcome.UNKNOWN,
                                    "The guard of '" + job + "' did not see the call: leadership was lost, or an"
                                            + " interceptor of the application took it. See the runs of the job"));
        }
    }

    /**
     * The guard has admitted the call. Returns the work that leaves the place of the job when it is closed; empty, and closes it, if this node has been
     * granted another lease meanwhile.
     */
    Optional<LeaderWork> enter(LeaderWork work) {
        if (!work.token().equals(token)) {
            work.close();
            return Optional.empty();
        }
        entered = true;
        return Optional.of(new Placed(work, place::leaveByHand));
    }

    /** The job begins. */
    void begun(String node) {
        CURRENT.remove();
        report.complete(RunReport.started("'" + job + "' has begun on " + node + "; its end is among its runs"));
    }

    /** Work that leaves the place of its job when it is closed. */
    static final class Placed extends ForwardingLeaderWork {

        private final Runnable leave;
        private final AtomicBoolean closed = new AtomicBoolean();

        Placed(LeaderWork work, Runnable leave) {
            super(work);
            this.leave = leave;
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                try {
                    super.close();
                } finally {
                    leave.run();
                }
            }
        }
    }
}
