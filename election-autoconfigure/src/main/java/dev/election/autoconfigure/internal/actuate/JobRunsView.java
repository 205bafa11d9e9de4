package dev.election.autoconfigure.internal.actuate;

import java.util.List;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * The latest runs of the jobs of an election.
 *
 * @param runs the latest first
 */
record JobRunsView(List<JobRunView> runs) implements OperationResponseBody {}
