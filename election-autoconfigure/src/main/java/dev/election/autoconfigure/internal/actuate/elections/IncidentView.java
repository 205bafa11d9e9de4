package dev.election.autoconfigure.internal.actuate.elections;

import dev.election.StoreProblem;
import dev.election.autoconfigure.internal.watch.Incident;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A period in which the store gives no usable reply, as the endpoint shows it.
 *
 * @param problem the last problem
 * @param detail the message of the store or the connection
 * @param action what to do about it
 * @param since when it began, by the clock of this node
 */
record IncidentView(StoreProblem problem, String detail, String action, Instant since) {

    static @Nullable IncidentView of(@Nullable Incident incident) {
        return incident == null
                ? null
                : new IncidentView(incident.problem(), incident.detail(), incident.action(), incident.at());
    }
}
