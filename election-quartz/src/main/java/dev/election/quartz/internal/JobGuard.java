package dev.election.quartz.internal;

import dev.election.OnLoss;

/**
 * What guards a job.
 *
 * @param election of which election this node must be the leader
 * @param onLoss what happens to the job if leadership is lost while it runs
 */
record JobGuard(String election, OnLoss onLoss) {}
