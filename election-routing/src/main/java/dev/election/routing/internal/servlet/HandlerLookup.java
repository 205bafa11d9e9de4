package dev.election.routing.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
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

/** Finds the handler of a request before the dispatcher does. The request is left as it is. */
public final class HandlerLookup {

    private final Supplier<List<RequestMappingHandlerMapping>> mappings;

    /** Looks in these mappings. */
    public HandlerLookup(Supplier<List<RequestMappingHandlerMapping>> mappings) {
        this.mappings = mappings;
    }

    /** Empty if Spring MVC would call no method. What it would refuse, it refuses itself. */
    Optional<HandlerMethod> find(HttpServletRequest request) {
        HttpServletRequest looked = new LookedAt(request);
        RequestPath path = ServletRequestPathUtils.parseAndCache(looked);
        for (RequestMappingHandlerMapping mapping : mappings.get()) {
            ServletRequestPathUtils.setParsedRequestPath(path, looked);
            HandlerMethod found = find(mapping, looked);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
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
