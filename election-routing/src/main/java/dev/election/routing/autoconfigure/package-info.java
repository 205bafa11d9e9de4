/**
 * The wiring of routed requests in a Spring Boot application.
 *
 * <p>In come the properties {@code election.routing} and the handlers with {@code @OnLeader}. {@code ElectionRoutingAutoConfiguration} makes what any
 * server needs: the routes, the decision, the connections and the client of the application itself. The configurations for servlets and for WebFlux add a
 * filter each, and the one for meters an observer. What needs the members or opens connections is lazy: an application that routes nothing is
 * no member because of this module.
 *
 * <p>{@code RoutingStart} looks at all handlers when the singletons are complete, on the starting thread. It tells which elections are wanted, and
 * fails if a route or an annotation could have no effect. Where Boot has registered the dispatcher of Spring MVC ({@code DispatcherPath}) and which
 * handlers there are ({@code RoutedHandlers}) comes from the wiring of the server.
 *
 * <p>Begin with {@code ElectionRoutingAutoConfiguration}.
 */
@NullMarked
package dev.election.routing.autoconfigure;

import org.jspecify.annotations.NullMarked;
