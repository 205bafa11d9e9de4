package dev.election;

/** The choice of the next leader among several slots that were missed between two leaders. */
public enum Recover {

    /** Runs the latest slot, once. For jobs that bring something up to date. */
    LATEST,

    /** Runs each slot, one after the other, the earliest first. For jobs that work on the time that they are scheduled for. */
    EVERY
}
