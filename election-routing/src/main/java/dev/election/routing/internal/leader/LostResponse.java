package dev.election.routing.internal.leader;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * A response that was not complete when the leadership ended under which it ran. It fails, so that the client does
 * not take a part of it for the whole. A stream of events just ends: its client knows each event to be whole, and connects again.
 */
public final class LostResponse extends IOException {

    private static final long serialVersionUID = 1L;

    /** A response of that election. */
    public LostResponse(String election) {
        super("Leadership of election " + election + " has ended before this response");
    }

    /** The container logs it for each response. Where it was created says nothing. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    /** Whether a response may end at any time. */
    public static boolean isStream(@Nullable String contentType) {
        try {
            return contentType != null
                    && MediaType.TEXT_EVENT_STREAM.isCompatibleWith(MediaType.parseMediaType(contentType));
        } catch (InvalidMediaTypeException unknown) {
            return false;
        }
    }
}
