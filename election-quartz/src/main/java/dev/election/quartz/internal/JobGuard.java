package dev.election.quartz.internal;

import dev.election.OnLoss;

/**
 * The guard of a job.
 *
 * @param election the election that this node must lead
 * @param onLoss what happens to the job if leadership is lost while it runs
 */
record JobGuard(String election, OnLoss onLoss) {}
