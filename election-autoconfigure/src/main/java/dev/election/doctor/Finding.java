package dev.election.doctor;

/**
 * Something that will go wrong one day.
 *
 * @param problem what
 * @param action what to do about it
 */
public record Finding(String problem, String action) {}
