package dev.election;

/** Which of several slots that were missed between two leaders the next leader runs. */
public enum Recover {

    /** The latest one, once. For jobs that bring something up to date. */
    LATEST,

    /** Each of them, one after the other, the earliest first. For jobs that work on the time that they are scheduled for. */
    EVERY
}
