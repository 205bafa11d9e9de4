package dev.election.routing.internal.servlet;

import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.util.Set;
import java.util.TreeSet;

/** The response to a forwarded request. A header of the leader replaces that of this container: Jetty sets {@code Date} at the beginning. */
class RelayedResponse extends HttpServletResponseWrapper {

    private final Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    RelayedResponse(HttpServletResponse response) {
        super(response);
    }

    @Override
    public void addHeader(String name, String value) {
        if (names.add(name)) {
            super.setHeader(name, value);
        } else {
            super.addHeader(name, value);
        }
    }
}
