package dev.election.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request.
 *
 * @param method the method
 * @param path the path with the query, encoded
 * @param headers the headers besides those that follow from the body and the server
 * @param body the body and its type, {@code null} for none
 */
public record HttpCall(String method, String path, Map<String, String> headers, @Nullable Body body) {

    /** A text in UTF-8. */
    public record Body(String type, String text) {

        byte[] bytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
