package dev.election.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.text.ReadableDuration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * What came of a forced abdication, as it is shown.
 *
 * @param outcome in a word
 * @param detail in a sentence
 * @param before who led when it was asked
 * @param leader who leads now
 * @param took how long it took
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record AbdicationView(
        AbdicationOutcome outcome, String detail, @Nullable LeaderView before, @Nullable LeaderView leader, String took)
        implements OperationResponseBody {

    static AbdicationView of(AbdicationReport report) {
        return new AbdicationView(
                report.outcome(),
                report.detail(),
                LeaderView.of(report.before().orElse(null), null),
                LeaderView.of(report.after().orElse(null), null),
                ReadableDuration.of(report.took()));
    }
}
