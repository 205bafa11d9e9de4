package dev.election.routing.autoconfigure;

import java.util.stream.Stream;
import org.springframework.web.method.HandlerMethod;

/** The handlers of an application. */
@FunctionalInterface
interface RoutedHandlers {

    /** All of them. Called when all singletons have been created. */
    Stream<HandlerMethod> all();
}
