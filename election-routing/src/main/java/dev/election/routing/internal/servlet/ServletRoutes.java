package dev.election.routing.internal.servlet;

import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.Routes;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.MappingMatch;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.RequestPath;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Finds whose leader serves a request, by its handler, which is looked for before the dispatcher does, or its path. The request is left as it is. */
public final class ServletRoutes {

    private final Routes routes;
    private final Supplier<List<RequestMappingHandlerMapping>> mappings;
    private final @Nullable String dispatcher;

    /**
     * Creates the lookup.
     *
     * @param routes which requests are routed
     * @param mappings in which it looks for handlers
     * @param dispatcher the path of the dispatcher, without a slash at its end, {@code null} if it is not known
     */
    public ServletRoutes(
            Routes routes, Supplier<List<RequestMappingHandlerMapping>> mappings, @Nullable String dispatcher) {
        this.routes = routes;
        this.mappings = mappings;
        this.dispatcher = dispatcher;
    }

    /** Whether any request is routed. */
    boolean isEmpty() {
        return routes.isEmpty();
    }

    /** Returns the election whose leader serves the request, empty if anybody may. */
    Optional<RoutedElection> find(HttpServletRequest request, ApplicationPath path) {
        Optional<RoutedElection> ofHandler =
                routes.hasHandlers() ? handler(request).flatMap(routes::of) : Optional.empty();
        return ofHandler.or(() -> routes.of(path.readings()));
    }

    /** Empty if Spring MVC would call no method. What it would refuse, it refuses itself. */
    private Optional<HandlerMethod> handler(HttpServletRequest request) {
        if (isOfOtherServlet(request)) {
            return Optional.empty();
        }
        HttpServletRequest looked = new LookedAt(request);
        RequestPath path;
        try {
            path = ServletRequestPathUtils.parseAndCache(looked);
        } catch (IllegalArgumentException refused) {
            return Optional.empty();
        }
        for (RequestMappingHandlerMapping mapping : mappings.get()) {
            ServletRequestPathUtils.setParsedRequestPath(path, looked);
            HandlerMethod found = find(mapping, looked);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    private boolean isOfOtherServlet(HttpServletRequest request) {
        return dispatcher != null
                && request.getHttpServletMapping().getMappingMatch() == MappingMatch.PATH
                && !request.getServletPath().equals(dispatcher);
    }

    private static @Nullable HandlerMethod find(RequestMappingHandlerMapping mapping, HttpServletRequest request) {
        try {
            HandlerExecutionChain chain = mapping.getHandler(request);
            return chain != null && chain.getHandler() instanceof HandlerMethod method ? method : null;
        } catch (Exception refused) {
            return null;
        }
    }

    /** Keeps to itself the attributes that mappings set. */
    private static final class LookedAt extends HttpServletRequestWrapper {

        private final Map<String, @Nullable Object> changed = new HashMap<>();

        private LookedAt(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            return changed.containsKey(name) ? changed.get(name) : super.getAttribute(name);
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            changed.put(name, value);
        }

        @Override
        public void removeAttribute(String name) {
            changed.put(name, null);
        }
    }
}
