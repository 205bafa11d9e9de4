package dev.election.kubernetes;

import java.io.IOException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The credentials of a client, which may change while it runs. Called before each connection and request, on any thread. */
public interface Credentials {

    /** The bearer token, {@code null} if the client shows a certificate instead. */
    @Nullable
    String token() throws IOException;

    /** The certificates that are trusted and shown; {@code null} for those of the JDK. */
    @Nullable
    SSLContext tls() throws IOException;

    /** Notes that the API server has refused the credentials: newer ones may be there. */
    default void refused() {}
}
