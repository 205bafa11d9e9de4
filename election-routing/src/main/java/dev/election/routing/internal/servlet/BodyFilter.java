package dev.election.routing.internal.servlet;

import dev.election.routing.internal.decision.Routes;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Collection;
import java.util.Enumeration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notes which bodies other filters read. The stream of a request does not tell: it is not finished while its end has not arrived, or where
 * somebody has left a rest, and over HTTP/2 one that was read looks like an empty one. It stands before all filters that may read.
 */
public final class BodyFilter implements Filter {

    private static final String NOTED = BodyFilter.class.getName() + ".noted";

    private final Routes routes;

    /**
     * Creates the filter.
     *
     * @param routes which requests are routed
     */
    public BodyFilter(Routes routes) {
        this.routes = routes;
    }

    /** Whether somebody has read a part of the body, as bytes, as text or as the parts of a multipart body. */
    static boolean isRead(HttpServletRequest request) {
        return request.getAttribute(NOTED) instanceof Noted noted && noted.isRead();
    }

    /** Whether somebody has asked for parameters, so that the container may have read a form. */
    static boolean areParametersAsked(HttpServletRequest request) {
        return request.getAttribute(NOTED) instanceof Noted noted && noted.areParametersAsked;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (!routes.isEmpty() && request instanceof HttpServletRequest http && ReadBody.mayHaveBody(http)) {
            Noted noted = new Noted(http);
            http.setAttribute(NOTED, noted);
            chain.doFilter(noted, response);
        } else {
            chain.doFilter(request, response);
        }
    }

    private static final class Noted extends HttpServletRequestWrapper {

        private volatile boolean isRead;
        private boolean areParametersAsked;
        private boolean arePartsAsked;

        private Noted(HttpServletRequest request) {
            super(request);
        }

        private boolean isRead() {
            return isRead || ((arePartsAsked || (areParametersAsked && ReadBody.isMultipartForm(this))) && hasParts());
        }

        /** Returns whether the request has parts. Where multipart requests are disabled, asking for parameters reads none, and Tomcat returns none here. */
        private boolean hasParts() {
            try {
                return !super.getParts().isEmpty();
            } catch (IOException | ServletException | IllegalStateException notWhole) {
                return true;
            }
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            return new NotedStream(super.getInputStream(), this);
        }

        @Override
        public BufferedReader getReader() throws IOException {
            isRead = true;
            return super.getReader();
        }

        @Override
        public @Nullable String getParameter(String name) {
            areParametersAsked = true;
            return super.getParameter(name);
        }

        @Override
        public Map<String, String[]> getParameterMap() {
            areParametersAsked = true;
            return super.getParameterMap();
        }

        @Override
        public Enumeration<String> getParameterNames() {
            areParametersAsked = true;
            return super.getParameterNames();
        }

        @Override
        public String @Nullable [] getParameterValues(String name) {
            areParametersAsked = true;
            return super.getParameterValues(name);
        }

        @Override
        public Collection<Part> getParts() throws IOException, ServletException {
            arePartsAsked = true;
            return super.getParts();
        }

        @Override
        public @Nullable Part getPart(String name) throws IOException, ServletException {
            arePartsAsked = true;
            return super.getPart(name);
        }
    }

    private static final class NotedStream extends ServletInputStream {

        private final ServletInputStream stream;
        private final Noted noted;

        private NotedStream(ServletInputStream stream, Noted noted) {
            this.stream = stream;
            this.noted = noted;
        }

        @Override
        public int read() throws IOException {
            int one = stream.read();
            if (one >= 0) {
                noted.isRead = true;
            }
            return one;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = stream.read(bytes, offset, length);
            if (read > 0) {
                noted.isRead = true;
            }
            return read;
        }

        @Override
        public int available() throws IOException {
            return stream.available();
        }

        @Override
        public boolean isFinished() {
            return stream.isFinished();
        }

        @Override
        public boolean isReady() {
            return stream.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            stream.setReadListener(listener);
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }
}
