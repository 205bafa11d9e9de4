package dev.election.ledger;

import dev.election.StoreProblem;
import java.time.Instant;

/**
 * What is wrong with the ledger of an election.
 *
 * @param stopsJobs whether the jobs of a leader don't run for that; if not, a later leader may run slots again
 * @param problem what kind of failure
 * @param action what to do about it
 * @param detail what the store said
 * @param since since when
 */
public record LedgerProblem(boolean stopsJobs, StoreProblem problem, String action, String detail, Instant since) {}
