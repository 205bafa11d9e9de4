package dev.election.autoconfigure.internal.actuate.elections;

import dev.election.jobs.requests.RunReport;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The outcome of a request to run a job now, as the endpoint shows it.
 *
 * @param outcome what has come of it
 * @param detail the outcome in a sentence
 */
public record JobRequestView(RunReport.Outcome outcome, String detail) implements OperationResponseBody {}
