package dev.election.routing.internal.decision;

import dev.election.routing.OnLeader;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.server.PathContainer;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/** The requests that only a leader may serve. */
public final class Routes {

    private final List<Route> routes;
    private final @Nullable PathPattern never;
    private final UnaryOperator<String> placeholders;
    private final Map<Handler, Optional<RoutedElection>> handlers = new ConcurrentHashMap<>();

    /** Whether handlers are to be looked for. Told once, before the first request. */
    private volatile boolean hasHandlers;

    /**
     * @param routes by path, of which the first one that matches counts
     * @param never the paths that are never routed, {@code null} for none
     * @param placeholders replaces placeholders in the names of elections
     */
    public Routes(List<Route> routes, @Nullable PathPattern never, UnaryOperator<String> placeholders) {
        this.routes = List.copyOf(routes);
        this.never = never;
        this.placeholders = placeholders;
    }

    /** The routes by path. */
    public List<Route> byPath() {
        return routes;
    }

    /** Whether there are handlers that only a leader may call. */
    public boolean hasHandlers() {
        return hasHandlers;
    }

    /** From now on handlers are looked for. */
    public void lookForHandlers() {
        hasHandlers = true;
    }

    /** Whether any request is routed. */
    public boolean isEmpty() {
        return routes.isEmpty() && !hasHandlers;
    }

    /**
     * Whose leader serves that path within the application.
     *
     * @param readings of the path. Servlets are chosen by another one than handlers: a route catches what matches in any reading, and what
     *     is never routed matches in each
     */
    public Optional<RoutedElection> of(List<PathContainer> readings) {
        if (never != null && readings.stream().allMatch(never::matches)) {
            return Optional.empty();
        }
        return routes.stream()
                .filter(route -> readings.stream().anyMatch(route.pattern()::matches))
                .map(Route::to)
                .findFirst();
    }

    /** Whose leader serves the requests of that handler. The method counts before its class. */
    public Optional<RoutedElection> of(HandlerMethod handler) {
        return handlers.computeIfAbsent(
                new Handler(ClassUtils.getUserClass(handler.getBeanType()), handler.getMethod()), this::read);
    }

    private Optional<RoutedElection> read(Handler handler) {
        OnLeader found = AnnotatedElementUtils.findMergedAnnotation(handler.method, OnLeader.class);
        if (found == null) {
            found = AnnotatedElementUtils.findMergedAnnotation(handler.type, OnLeader.class);
        }
        return Optional.ofNullable(found)
                .map(marked -> new RoutedElection(placeholders.apply(marked.value()), marked.mode()));
    }

    /**
     * A route by path.
     *
     * @param pattern of the path within the application
     * @param to whose leader serves it
     */
    public record Route(PathPattern pattern, RoutedElection to) {}

    private record Handler(Class<?> type, Method method) {}
}
