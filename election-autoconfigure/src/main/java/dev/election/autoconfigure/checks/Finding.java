package dev.election.autoconfigure.checks;

/**
 * A problem that a check has found.
 *
 * @param problem what is wrong and what it causes
 * @param action what to do about it
 */
public record Finding(String problem, String action) {}
