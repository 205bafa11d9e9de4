package dev.election.routing.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;
import org.springframework.web.util.UriComponentsBuilder;

/** Bodies of requests that a filter has read before. */
final class ReadBody {

    private static final MediaType FORM = MediaType.APPLICATION_FORM_URLENCODED;

    private ReadBody() {}

    /** Whether the body, or a part of it, is not left to forward. */
    static boolean isGone(HttpServletRequest request) throws IOException {
        if (BodyFilter.isRead(request)) {
            return true;
        }
        if (!hasBody(request)) {
            return false;
        }
        try {
            return request.getInputStream().isFinished()
                    || (BodyFilter.areParametersAsked(request) && hasParameters(request));
        } catch (IllegalStateException readAsText) {
            return true;
        }
    }

    /** Jetty reads a form for its parameters, and does not say that its stream is finished then. */
    private static boolean hasParameters(HttpServletRequest request) {
        String form = form(request);
        return form != null && !form.isEmpty();
    }

    /** Over HTTP/2 no header says so. A form is known by its type: whoever asks for its parameters reads it without the stream. */
    private static boolean hasBody(HttpServletRequest request) {
        return mayHaveBody(request) && (hasHeader(request) || isOf(request, FORM));
    }

    /** Returns whether containers take the body for a form of parts, whatever the parameters of its type are. */
    static boolean isMultipartForm(HttpServletRequest request) {
        return StringUtils.startsWithIgnoreCase(request.getContentType(), MediaType.MULTIPART_FORM_DATA_VALUE);
    }

    /** Whether it may have one, whether it was read or not. Over HTTP/2 no header says so. */
    static boolean mayHaveBody(HttpServletRequest request) {
        return hasHeader(request)
                || (request.getContentLengthLong() < 0 && request.getProtocol().startsWith("HTTP/2"));
    }

    private static boolean hasHeader(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null;
    }

    /**
     * The form of a request as a body, encoded again from its parameters; {@code null} if the request has no form, or somebody has read it
     * so that it has no parameters.
     */
    static @Nullable String form(HttpServletRequest request) {
        if (!isOf(request, FORM)) {
            return null;
        }
        Charset charset = charsetOf(request);
        StringJoiner body = new StringJoiner("&");
        request.getParameterMap().forEach((name, values) -> {
            List<String> left = new ArrayList<>(List.of(values));
            // Those of the query come first, and are sent with the query.
            inQuery(request, name, charset).forEach(left::remove);
            left.forEach(value -> body.add(URLEncoder.encode(name, charset) + "=" + URLEncoder.encode(value, charset)));
        });
        return body.length() == 0 && BodyFilter.isRead(request) ? null : body.toString();
    }

    private static boolean isOf(HttpServletRequest request, MediaType wanted) {
        try {
            String type = request.getContentType();
            return type != null && wanted.includes(MediaType.parseMediaType(type));
        } catch (InvalidMediaTypeException unknown) {
            return false;
        }
    }

    private static Charset charsetOf(HttpServletRequest request) {
        String name = request.getCharacterEncoding();
        return name == null ? StandardCharsets.UTF_8 : Charset.forName(name);
    }

    private static List<String> inQuery(HttpServletRequest request, String name, Charset charset) {
        String query = request.getQueryString();
        if (query == null) {
            return Collections.emptyList();
        }
        return UriComponentsBuilder.newInstance().query(query).build().getQueryParams().entrySet().stream()
                .filter(parameter -> decode(parameter.getKey(), charset).equals(name))
                .flatMap(parameter -> parameter.getValue().stream())
                .map(value -> value == null ? "" : decode(value, charset))
                .toList();
    }

    private static String decode(String text, Charset charset) {
        return java.net.URLDecoder.decode(text, charset);
    }
}
