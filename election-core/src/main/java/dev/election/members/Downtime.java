package dev.election.members;

import java.time.Instant;

/**
 * The downtime of a member: its health is down, so that others should lead.
 *
 * @param reason the health contributors that are down
 * @param since when that began, by the clock of the member
 */
public record Downtime(String reason, Instant since) {}
