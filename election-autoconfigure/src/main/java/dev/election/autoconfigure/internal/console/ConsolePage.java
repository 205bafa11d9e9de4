package dev.election.autoconfigure.internal.console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * The page. It names its files and the endpoint {@code leader} relative to its own address: a proxy may strip any prefix. The application may map
 * both endpoints to other paths.
 */
public final class ConsolePage {

    private final Function<String, @Nullable String> pathOf;

    /**
     * Creates the page.
     *
     * @param pathOf the path of an endpoint below the base path; {@code null} if it is not exposed
     */
    public ConsolePage(Function<String, @Nullable String> pathOf) {
        this.pathOf = pathOf;
    }

    Resource html() {
        String own = path(LeaderConsoleEndpoint.ID);
        return html(own.substring(own.lastIndexOf('/') + 1), "");
    }

    /** The page for an address that ends with a slash, from which everything is one step farther away. */
    Resource htmlBelow() {
        return html(".", "../");
    }

    private Resource html(String files, String toOwn) {
        String own = path(LeaderConsoleEndpoint.ID);
        String toBase = toOwn
                + "../".repeat((int) own.chars().filter(each -> each == '/').count());
        String html = text(ConsoleFile.PAGE.resource())
                .replace("{files}", files)
                .replace("{leader}", toBase + path("leader"));
        return new ByteArrayResource(html.getBytes(StandardCharsets.UTF_8));
    }

    /** Without exposure the page says that the endpoint is not there. */
    private String path(String endpoint) {
        String path = pathOf.apply(endpoint);
        return path == null ? endpoint : path;
    }

    private static String text(Resource resource) {
        try {
            return resource.getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
