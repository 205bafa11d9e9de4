package dev.election.spring;

/** When an application that is run by Spring Boot begins to take part in its elections. */
public enum Candidacy {
    /** When its runners have returned and it is ready: an application whose start fails never leads. */
    AFTER_RUNNERS,
    /** When its context is refreshed, before its runners are called: for runners that do not return while the application runs. */
    BEFORE_RUNNERS
}
