package dev.election.quartz.internal.rules;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The guard of a scheduler: how it is kept from running jobs where they must not run.
 *
 * @param standby the election that it follows, put on standby while its node does not lead; {@code null} if single firings
 *     are vetoed
 * @param shared whether all nodes have one job store, which then knows what is to be fired
 * @param confirmed whether a job begins only when the store has confirmed that its slot is claimed
 * @param recoverWithin how long a firing that was missed is worth being fired late; zero: not at all
 */
public record SchedulerGuard(@Nullable String standby, boolean shared, boolean confirmed, Duration recoverWithin) {}
