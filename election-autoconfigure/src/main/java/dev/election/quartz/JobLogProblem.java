package dev.election.quartz;

import dev.election.StoreProblem;
import java.time.Instant;

/**
 * What is wrong with the log in which leaders write which slots they have fired.
 *
 * @param stopsJobs whether the jobs of a leader don't run for that; if not, a later leader may fire slots again
 * @param problem what kind of failure
 * @param action what to do about it
 * @param detail what the store said
 * @param since since when
 */
public record JobLogProblem(boolean stopsJobs, StoreProblem problem, String action, String detail, Instant since) {}
