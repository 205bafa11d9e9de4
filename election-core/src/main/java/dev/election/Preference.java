package dev.election;

/** The preference among candidates with the same priority. */
public enum Preference {
    /** Prefers the candidate that joined first. */
    NONE,
    /** Prefers the candidate with the newest version, or the latest start where the versions can't be compared. */
    NEWEST,
    /** Prefers the candidate with the oldest version, or the earliest start where the versions can't be compared. */
    OLDEST
}
