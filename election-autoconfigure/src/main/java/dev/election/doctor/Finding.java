package dev.election.doctor;

/**
 * Something that will go wrong one day.
 *
 * @param problem what
 * @param mend what to do about it
 */
public record Finding(String problem, String mend) {}
