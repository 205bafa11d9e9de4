package dev.election.autoconfigure.internal.watch;

/** The health of the elections, for what has no need of Spring Boot's. */
@FunctionalInterface
public interface LeaderHealth {

    /** Whether the health contributor would say that all is well. */
    boolean isUp();
}
