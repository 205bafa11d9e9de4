package dev.election.lease;

import dev.election.Leader;
import java.time.Duration;

/**
 * Another candidacy holds the lease.
 *
 * @param leader the node behind it
 * @param remaining how long the lease lasts if it is not renewed
 * @param rank how many candidates stand before this one
 */
public record Held(Leader leader, Duration remaining, int rank) implements CampaignReply {}
