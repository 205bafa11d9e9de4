package dev.election.routing.internal.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The response to a forwarded {@code HEAD}. Over HTTP/2, Tomcat ends the stream of such a response when it calls a listener that may write,
 * and when an asynchronous request is completed, whether its headers are sent or not. So there is no listener, and the headers are sent
 * before.
 */
final class BodilessResponse extends RelayedResponse {

    BodilessResponse(HttpServletResponse response) {
        super(response);
    }

    /** To be called when its headers are complete. */
    @Nullable
    Void sent() throws IOException {
        flushBuffer();
        return null;
    }

    @Override
    public ServletOutputStream getOutputStream() {
        return new Nothing();
    }

    private static final class Nothing extends ServletOutputStream {

        @Override
        public void setWriteListener(WriteListener ofTheAdapter) {}

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void write(int ofBody) {}
    }
}
