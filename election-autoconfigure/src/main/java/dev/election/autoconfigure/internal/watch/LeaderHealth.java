package dev.election.autoconfigure.internal.watch;

/** The health of the elections, without types of Spring Boot. */
@FunctionalInterface
public interface LeaderHealth {

    /** Whether the health contributor would say that all is well. */
    boolean isUp();
}
