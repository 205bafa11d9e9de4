package dev.election.jobs.engine;

/**
 * A slot of a schedule.
 *
 * @param schedule the name of the schedule in the ledger
 * @param time for which it is scheduled, in milliseconds since 1970
 * @param id under which a successor finds that it was claimed, or has begun
 */
public record SlotId(String schedule, long time, String id) {}
