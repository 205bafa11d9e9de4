package dev.election.routing.autoconfigure;

/** The path of the dispatcher of Spring MVC within the application. */
@FunctionalInterface
interface DispatcherPath {

    /** The path without a slash at its end, empty for that of the application. */
    String prefix();
}
