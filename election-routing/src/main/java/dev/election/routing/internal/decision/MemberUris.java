package dev.election.routing.internal.decision;

import dev.election.members.Member;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** The addresses that a member says of itself, as far as requests may be sent there. */
public final class MemberUris {

    /** The description of a member with its public URI. */
    static final String PUBLIC = "public-uri";

    private MemberUris() {}

    /** Where other members reach it, {@code null} if it says nothing usable. */
    static @Nullable URI uri(Member member) {
        return usable(member.uri());
    }

    /** Where clients reach it, {@code null} if it says nothing usable. */
    static @Nullable URI publicUri(Member member) {
        return usable(member.metadata().getOrDefault(PUBLIC, ""));
    }

    /** The URI if it is one of a web server and nothing but that, {@code null} otherwise. */
    static @Nullable URI usable(String text) {
        try {
            URI uri = new URI(text);
            boolean isWeb = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            boolean isPlain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            return isWeb && isPlain && uri.getHost() != null ? uri : null;
        } catch (URISyntaxException invalid) {
            return null;
        }
    }

    /**
     * The address of a resource on that server. A path that begins with two slashes stays a path.
     *
     * @param path within the application, still encoded
     * @param query still encoded, {@code null} if there is none
     */
    public static URI resolve(URI server, String path, @Nullable String query) throws URISyntaxException {
        String base = server.toString();
        String root = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
        String rooted = path.startsWith("/") ? path : "/" + path;
        return new URI(root + rooted + (query == null ? "" : "?" + query));
    }
}
