package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.support.ReadableDuration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The outcome of a request to abdicate, as the endpoint shows it.
 *
 * @param outcome the outcome
 * @param detail the outcome in a sentence
 * @param before who led at the time of the request
 * @param leader who leads now
 * @param took how long the request took
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record AbdicationView(
        AbdicationOutcome outcome, String detail, @Nullable LeaderView before, @Nullable LeaderView leader, String took)
        implements OperationResponseBody {

    public static AbdicationView of(AbdicationReport report) {
        return new AbdicationView(
                report.outcome(),
                report.detail(),
                LeaderView.of(report.before().orElse(null), null),
                LeaderView.of(report.after().orElse(null), null),
                ReadableDuration.of(report.took()));
    }
}
