package dev.election.quartz.internal.rules;

import java.util.function.Function;

/**
 * The settings of the application for its Quartz jobs.
 *
 * @param rules which election guards which job
 * @param choices how to guard the scheduler of that name
 */
public record QuartzSettings(GuardRules rules, Function<String, SchedulerChoice> choices) {}
