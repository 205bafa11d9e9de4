package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.jobs.JobRun;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The jobs of all elections.
 *
 * @param jobs those with a problem first
 * @param unread why the runs of an election are missing, by its name
 */
public record JobsView(List<JobView> jobs, @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> unread)
        implements OperationResponseBody {

    private static final Comparator<JobView> PROBLEMS_FIRST = Comparator.comparing((JobView job) -> !job.isProblem())
            .thenComparing(JobView::job)
            .thenComparing(JobView::election);

    public JobsView {
        jobs = jobs.stream().sorted(PROBLEMS_FIRST).toList();
    }

    /**
     * A job.
     *
     * @param last its latest run, {@code null} if none is recorded
     * @param next the next time of its schedule as this node knows it, {@code null} if there is none
     * @param byHand whether this node knows it as one that can be run by hand
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    public record JobView(
            String job, String election, @Nullable JobRunView last, @Nullable Instant next, boolean byHand) {

        /** A run that began later than that after its slot was missed at first. */
        private static final Duration LATE = Duration.ofSeconds(10);

        private boolean isProblem() {
            return last != null
                    && (isLate(last)
                            || (last.end().outcome() != JobRun.Outcome.DONE
                                    && last.end().outcome() != JobRun.Outcome.RUNNING));
        }

        private static boolean isLate(JobRunView run) {
            Instant slot = run.slot();
            return slot != null && Duration.between(slot, run.startedAt()).compareTo(LATE) > 0;
        }
    }
}
