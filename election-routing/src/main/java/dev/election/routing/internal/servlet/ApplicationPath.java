package dev.election.routing.internal.servlet;

import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.PathContainer.Options;
import org.springframework.http.server.PathContainer.PathSegment;
import org.springframework.http.server.RequestPath;

/**
 * The path of a request within the application, with that of its servlet.
 *
 * @param written by the client, still encoded. Spring MVC chooses the handler by it
 * @param read by the container, without encoding, parameters and dots. The container chooses the servlet by it
 */
record ApplicationPath(RequestPath written, PathContainer read) {

    private static final Options DECODED = Options.create('/', false);

    static ApplicationPath of(HttpServletRequest request) {
        String read = request.getServletPath() + Objects.requireNonNullElse(request.getPathInfo(), "");
        return new ApplicationPath(
                written(request.getRequestURI(), request.getContextPath()), PathContainer.parsePath(read, DECODED));
    }

    /** All readings of the path by which something may be chosen to serve the request. Mocks of requests know no servlet. */
    List<PathContainer> readings() {
        PathContainer within = written.pathWithinApplication();
        return read.value().isEmpty() ? List.of(within) : List.of(within, read);
    }

    /** Whether the path is the context path of that application, whichever way it is written. */
    static boolean isOf(ServletContext application, String path) {
        return segments(path).equals(segments(application.getContextPath()));
    }

    /** The request says the context path as it is registered, as the client has written it, or nearly so: that is up to the container. */
    private static RequestPath written(String path, String contextPath) {
        PathContainer whole = PathContainer.parsePath(path);
        List<String> context = segments(contextPath);
        for (int end = 0; end <= whole.elements().size(); end++) {
            String begin = whole.subPath(0, end).value();
            if (segments(begin).equals(context)) {
                return RequestPath.parse(path, begin);
            }
        }
        return RequestPath.parse(path, contextPath);
    }

    private static List<String> segments(String path) {
        List<String> segments = new ArrayList<>();
        for (PathContainer.Element element : PathContainer.parsePath(path).elements()) {
            String segment = element instanceof PathSegment named ? named.valueToMatch() : ".";
            if (segment.equals("..") && !segments.isEmpty()) {
                segments.remove(segments.size() - 1);
            } else if (!segment.equals(".")) {
                segments.add(segment);
            }
        }
        return segments;
    }
}
