package dev.election;

/** Which of several candidates with the same priority should lead. */
public enum Preference {
    /** The one that joined first. */
    NONE,
    /** The one with the newest version; by the time of its start where the versions can't be compared. */
    NEWEST,
    /** The one with the oldest version; by the time of its start where the versions can't be compared. */
    OLDEST
}
