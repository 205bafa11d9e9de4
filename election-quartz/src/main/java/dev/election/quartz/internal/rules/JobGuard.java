package dev.election.quartz.internal.rules;

import dev.election.OnLoss;

/**
 * The guard of a job.
 *
 * @param election the election that this node must lead
 * @param onLoss what happens to the job if leadership is lost while it runs
 */
public record JobGuard(String election, OnLoss onLoss) {}
