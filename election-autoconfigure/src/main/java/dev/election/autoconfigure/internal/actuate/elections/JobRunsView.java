package dev.election.autoconfigure.internal.actuate.elections;

import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The latest runs of the jobs of an election.
 *
 * @param runs the latest first
 */
public record JobRunsView(List<JobRunView> runs) implements OperationResponseBody {}
