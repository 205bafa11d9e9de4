package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.election.jobs.JobRun;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A run of a job, as the endpoint shows it.
 *
 * @param slot the scheduled time, {@code null} if it has none or it is not recorded
 * @param requestedBy who asked for it by hand, and why; {@code null} and not shown if nobody did
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record JobRunView(
        String job,
        @Nullable Instant slot,
        String node,
        long token,
        Instant startedAt,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String requestedBy,
        @JsonUnwrapped End end) {

    /**
     * The end of a run.
     *
     * @param endedAt {@code null} if it has not ended or that was not recorded
     * @param failure the class of the exception that ended it, {@code null} and not shown if none did
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record End(
            @Nullable Instant endedAt,
            JobRun.Outcome outcome,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String failure) {}

    public static JobRunView of(JobRun run) {
        return new JobRunView(
                run.job(),
                run.slot().orElse(null),
                run.node(),
                run.token().value(),
                run.startedAt(),
                run.requestedBy().orElse(null),
                new End(run.endedAt().orElse(null), run.outcome(), run.failure().orElse(null)));
    }
}
