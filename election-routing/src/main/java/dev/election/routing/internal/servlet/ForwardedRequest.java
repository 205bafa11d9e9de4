package dev.election.routing.internal.servlet;

import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.RoutingDecision;
import dev.election.routing.internal.forward.RequestBody;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.RequestPath;
import reactor.core.publisher.Mono;

/** A request that is forwarded. {@link ServletBody} reads it, not the adapter of Spring Framework. */
final class ForwardedRequest extends HttpServletRequestWrapper {

    private final RequestPath path;
    private final @Nullable String form;
    private final HttpServletResponse response;
    private final RoutedElection to;
    private final RoutingDecision.OnLeader leader;
    /** Whether the container knew it when the request was forwarded. */
    private final boolean isEmpty;

    private final ServletBody body;

    ForwardedRequest(
            HttpServletRequest request,
            RequestPath path,
            HttpServletResponse response,
            RoutedElection to,
            RoutingDecision.OnLeader leader,
            @Nullable String form)
            throws IOException {
        super(request);
        this.path = path;
        this.response = response;
        this.to = to;
        this.leader = leader;
        this.form = form;
        ServletInputStream stream = request.getInputStream();
        this.isEmpty = !ReadBody.mayHaveBody(request) || stream.isFinished();
        this.body = new ServletBody(stream);
    }

    /** Removes the headers of the response that filters have set. */
    void clearResponse() {
        List.copyOf(response.getHeaderNames()).forEach(name -> response.setHeader(name, null));
    }

    RoutedElection to() {
        return to;
    }

    RoutingDecision.OnLeader leader() {
        return leader;
    }

    /** The filter of Spring puts it in the place of the context path. */
    String prefix() {
        String given = super.getContextPath();
        return ApplicationPath.isOf(getServletContext(), given) ? "" : given;
    }

    /** Returns the context path as the client has written it. */
    @Override
    public String getContextPath() {
        return path.contextPath().value();
    }

    /** Returns the body as it is sent: a form that was read before, or what is still to be read. */
    Mono<RequestBody> requestBody() {
        if (form != null) {
            return RequestBody.form(form);
        }
        return isEmpty ? RequestBody.empty() : RequestBody.of(body, getContentLengthLong());
    }

    ServletBody body() {
        return body;
    }

    /** Without one the content type is forwarded as it came. */
    @Override
    public @Nullable String getCharacterEncoding() {
        return null;
    }

    @Override
    public ServletInputStream getInputStream() {
        return new ReadElsewhere();
    }

    /** The adapter sees nothing of the body. */
    private static final class ReadElsewhere extends ServletInputStream {

        @Override
        public void setReadListener(ReadListener ofTheAdapter) {}

        @Override
        public boolean isFinished() {
            return false;
        }

        @Override
        public boolean isReady() {
            return false;
        }

        @Override
        public int read() {
            throw new IllegalStateException("The body is read elsewhere");
        }

        @Override
        public int read(byte[] bytes, int offset, int length) {
            return read();
        }
    }
}
