package dev.election.routing.internal.servlet;

import dev.election.routing.internal.Decision;
import dev.election.routing.internal.RoutedElection;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A request that is forwarded. The first call of its read listener tells that the thread of the container has left the filters: before that the
 * filters and this module would write headers of the response at the same time.
 */
final class ForwardedRequest extends HttpServletRequestWrapper {

    private final @Nullable String form;
    private final HttpServletResponse response;
    private final RoutedElection to;
    private final Decision.OnLeader leader;
    private final CompletableFuture<@Nullable Void> left = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> broken = new CompletableFuture<>();

    ForwardedRequest(
            HttpServletRequest request,
            HttpServletResponse response,
            RoutedElection to,
            Decision.OnLeader leader,
            @Nullable String form) {
        super(request);
        this.response = response;
        this.to = to;
        this.leader = leader;
        this.form = form;
    }

    /** Removes the headers of the response that filters have set. */
    void clearResponse() {
        List.copyOf(response.getHeaderNames()).forEach(name -> response.setHeader(name, null));
    }

    RoutedElection to() {
        return to;
    }

    Decision.OnLeader leader() {
        return leader;
    }

    /** The filter of Spring puts it in the place of the context path. */
    String prefix() {
        String path = getContextPath();
        return path.equals(getServletContext().getContextPath()) ? "" : path;
    }

    @Nullable
    String form() {
        return form;
    }

    /** Completes when the thread of the container has left the filters. */
    CompletableFuture<@Nullable Void> left() {
        return left;
    }

    /** Fails when the body can't be read to its end. */
    CompletableFuture<@Nullable Void> broken() {
        return broken;
    }

    /** Without one the content type is forwarded as it came. */
    @Override
    public @Nullable String getCharacterEncoding() {
        return null;
    }

    @Override
    public ServletInputStream getInputStream() throws IOException {
        return new Told(super.getInputStream());
    }

    private final class Told extends ServletInputStream {

        private final ServletInputStream stream;

        private Told(ServletInputStream stream) {
            this.stream = stream;
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
        public int read() throws IOException {
            return stream.read();
        }

        /** The adapter of Spring Framework 7.0 tells nobody of a failure. */
        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            try {
                return stream.read(bytes, offset, length);
            } catch (IOException failure) {
                broken.completeExceptionally(failure);
                throw failure;
            }
        }

        @Override
        public void setReadListener(ReadListener listener) {
            stream.setReadListener(new ReadListener() {
                @Override
                public void onDataAvailable() throws IOException {
                    left.complete(null);
                    listener.onDataAvailable();
                }

                @Override
                public void onAllDataRead() throws IOException {
                    left.complete(null);
                    listener.onAllDataRead();
                }

                @Override
                public void onError(Throwable failure) {
                    left.complete(null);
                    listener.onError(failure);
                }
            });
        }
    }
}
