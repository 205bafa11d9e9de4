package dev.election.spring.scheduling;

import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import dev.election.jobs.history.JobHistory;
import dev.election.spring.internal.shape.FailingWork;
import org.jspecify.annotations.Nullable;

/** The work of a job whose run is recorded. */
final class RunWork extends ForwardingLeaderWork implements FailingWork {

    private final JobHistory.Run run;
    private volatile @Nullable Throwable failure;

    RunWork(LeaderWork work, JobHistory.Run run) {
        super(work);
        this.run = run;
    }

    @Override
    public void failed(Throwable reason) {
        failure = reason;
    }

    @Override
    public void close() {
        try {
            run.end(failure);
        } finally {
            super.close();
        }
    }
}
