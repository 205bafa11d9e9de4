package dev.election.quartz.internal.rules;

/**
 * The settings of the application for its Quartz jobs.
 *
 * @param rules which election guards which job
 * @param choice how to guard its schedulers
 */
public record QuartzSettings(GuardRules rules, SchedulerChoice choice) {}
