package dev.election.routing.internal.servlet;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notes which multipart bodies other filters read, as they ask for parameters or parts. The stream does not tell: who reads the parts leaves
 * what follows the last one, which may be nothing but the end that has not arrived yet. It stands before all filters that may ask.
 */
public final class PartsFilter implements Filter {

    private static final String ASKED = PartsFilter.class.getName() + ".asked";

    /** Creates the filter. */
    public PartsFilter() {}

    /** Whether the container has read the parts of a request, which it does only where multipart requests are enabled. */
    static boolean hasRead(HttpServletRequest request) throws IOException {
        if (request.getAttribute(ASKED) == null) {
            return false;
        }
        try {
            // The container has read them, or does not: nothing is read now.
            return !request.getParts().isEmpty();
        } catch (IllegalStateException | ServletException disabled) {
            return false;
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(
                request instanceof HttpServletRequest http && ReadBody.isMultipart(http) ? new Noted(http) : request,
                response);
    }

    private static final class Noted extends HttpServletRequestWrapper {

        private Noted(HttpServletRequest request) {
            super(request);
        }

        private void note() {
            setAttribute(ASKED, true);
        }

        @Override
        public @Nullable String getParameter(String name) {
            note();
            return super.getParameter(name);
        }

        @Override
        public Map<String, String[]> getParameterMap() {
            note();
            return super.getParameterMap();
        }

        @Override
        public Enumeration<String> getParameterNames() {
            note();
            return super.getParameterNames();
        }

        @Override
        public String @Nullable [] getParameterValues(String name) {
            note();
            return super.getParameterValues(name);
        }

        @Override
        public Collection<Part> getParts() throws IOException, ServletException {
            note();
            return super.getParts();
        }

        @Override
        public @Nullable Part getPart(String name) throws IOException, ServletException {
            note();
            return super.getPart(name);
        }
    }
}
