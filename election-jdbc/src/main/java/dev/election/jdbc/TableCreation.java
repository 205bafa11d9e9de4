package dev.election.jdbc;

/** When the elections create their table if it is missing. */
public enum TableCreation {
    /** In a database in memory only. */
    EMBEDDED,
    /** In any database. */
    ALWAYS,
    /** Never. */
    NEVER
}
