package dev.election.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a server, for one request at a time. It is opened once, and never again: who uses it knows by that which replies have come
 * over the same one. The name in the certificate of the server is checked.
 */
public final class HttpConnection implements AutoCloseable {

    /** No reply that is read as a whole is larger. */
    static final int LARGEST = 64 << 20;

    /** A connection that was idle for longer may have been closed meanwhile, which costs a look of a millisecond. */
    private static final Duration FRESH = Duration.ofMillis(100);

    /** Sends once, and passes over interim replies. */
    private static final HttpRequestExecutor EXECUTOR = new HttpRequestExecutor();

    private final HttpServer server;
    private final HttpDeadlines deadlines;
    private final Socket socket;
    private final DefaultBHttpClientConnection http;
    private volatile boolean isReusable = true;

    /** Whether a reply was received as a whole, and the server ends the connection with it. */
    private boolean isOver;

    /** Whether the server leaves the connection open after the reply under way. */
    private boolean staysOpen;

    private long usedAt = System.nanoTime();

    private HttpConnection(
            HttpServer server, HttpDeadlines deadlines, Socket socket, DefaultBHttpClientConnection http) {
        this.server = server;
        this.deadlines = deadlines;
        this.socket = socket;
        this.http = http;
    }

    /** Connects, within that time. */
    public static HttpConnection open(HttpServer server, HttpDeadlines deadlines, Duration limit) throws IOException {
        Socket plain = new Socket();
        try {
            return within(deadlines, limit, "no connection", () -> close(plain), () -> {
                plain.setTcpNoDelay(true);
                plain.setKeepAlive(true);
                plain.connect(new InetSocketAddress(server.host(), server.port()), (int) limit.toMillis());
                DefaultBHttpClientConnection http = new DefaultBHttpClientConnection(null);
                Socket socket = server.isSecure() ? secured(server, plain) : plain;
                http.bind(socket);
                return new HttpConnection(server, deadlines, plain, http);
            });
        } catch (IOException | RuntimeException failure) {
            close(plain);
            throw failure;
        }
    }

    private static Socket secured(HttpServer server, Socket plain) throws IOException {
        SSLContext tls = server.tls();
        SSLSocketFactory sockets =
                tls == null ? (SSLSocketFactory) SSLSocketFactory.getDefault() : tls.getSocketFactory();
        SSLSocket socket = (SSLSocket) sockets.createSocket(plain, server.host(), server.port(), true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Sends a request, and receives its reply as a whole within that time. */
    public HttpReply exchange(HttpCall call, Duration limit) throws IOException {
        return within(deadlines, limit, "no reply", this::close, () -> reply(send(call)));
    }

    /**
     * Sends a request whose reply goes on, and passes its lines on until it ends. Any other status than 200 is a reply as usual. Closes the connection
     * in the end.
     *
     * @param limit how long the beginning of the reply may take
     * @param begun is called when the reply has begun
     * @return the reply if it was one as usual; {@code null} if the lines have ended
     */
    public @Nullable HttpReply stream(HttpCall call, Duration limit, Runnable begun, Consumer<String> lines)
            throws IOException {
        try {
            ClassicHttpResponse response = within(deadlines, limit, "no reply", this::close, () -> send(call));
            if (response.getCode() != 200) {
                return within(deadlines, limit, "no reply", this::close, () -> reply(response));
            }
            begun.run();
            BufferedReader reader = new BufferedReader(
                    new InputStreamReader(response.getEntity().getContent(), StandardCharsets.UTF_8));
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(line);
            }
            return null;
        } finally {
            // To close the response only would wait for the end of the stream.
            close();
        }
    }

    private ClassicHttpResponse send(HttpCall call) throws IOException {
        isReusable = false;
        BasicClassicHttpRequest request = new BasicClassicHttpRequest(call.method(), call.path());
        request.setHeader(HttpHeaders.HOST, server.address().getRawAuthority());
        call.headers().forEach(request::setHeader);
        HttpCall.Body body = call.body();
        if (body != null) {
            byte[] bytes = body.bytes();
            request.setHeader(HttpHeaders.CONTENT_TYPE, body.type());
            request.setHeader(HttpHeaders.CONTENT_LENGTH, bytes.length);
            request.setEntity(new ByteArrayEntity(bytes, ContentType.parse(body.type())));
        }
        HttpCoreContext context = HttpCoreContext.create();
        try {
            ClassicHttpResponse response = EXECUTOR.execute(request, http, context);
            HttpEntity entity = response.getEntity();
            if (entity != null && entity.getContentLength() < 0 && !entity.isChunked()) {
                // A reply that was cut, even in the middle of its head, would look whole.
                throw new IOException("The reply does not say where it ends");
            }
            staysOpen = DefaultConnectionReuseStrategy.INSTANCE.keepAlive(request, response, context);
            return response;
        } catch (HttpException invalid) {
            throw new IOException("The reply is not HTTP: " + invalid.getMessage(), invalid);
        }
    }

    private HttpReply reply(ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        byte[] body = entity == null ? new byte[0] : entity.getContent().readNBytes(LARGEST + 1);
        if (body.length > LARGEST) {
            throw new IOException("The reply is larger than " + LARGEST + " bytes");
        }
        isReusable = staysOpen;
        isOver = !staysOpen;
        usedAt = System.nanoTime();
        Header retryAfter = response.getFirstHeader(HttpHeaders.RETRY_AFTER);
        return new HttpReply(
                response.getCode(),
                new String(body, StandardCharsets.UTF_8),
                retryAfter == null ? null : retryAfter.getValue());
    }

    /** Whether another request can be sent: the last reply was received as a whole, and the server has not closed the connection. */
    public boolean isUsable() {
        if (!isReusable || !http.isOpen()) {
            return false;
        }
        try {
            return System.nanoTime() - usedAt < FRESH.toNanos() || !http.isStale();
        } catch (IOException broken) {
            return false;
        }
    }

    /** Returns the address of the server. */
    public URI address() {
        return server.address();
    }

    /** Whether the server has ended the connection after a reply that was received as a whole. */
    public boolean isOver() {
        return isOver;
    }

    /** Closes the connection at once, also while a request is under way on another thread. */
    @Override
    public void close() {
        isReusable = false;
        // The socket below TLS: closing that of TLS waits for a write under way.
        close(socket);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException broken) {
            // The connection is given up anyway.
        }
    }

    private interface Step<T> {

        T run() throws IOException;
    }

    private static <T> T within(HttpDeadlines deadlines, Duration limit, String missing, Runnable end, Step<T> step)
            throws IOException {
        // A future could still be cancelled while its task closes the socket.
        AtomicBoolean isDecided = new AtomicBoolean();
        Future<?> deadline = deadlines.after(limit, () -> {
            if (isDecided.compareAndSet(false, true)) {
                end.run();
            }
        });
        try {
            T done = step.run();
            if (isDecided.compareAndSet(false, true)) {
                return done;
            }
            throw late(limit, missing, null);
        } catch (IOException failure) {
            throw isDecided.compareAndSet(false, true) ? failure : late(limit, missing, failure);
        } finally {
            deadline.cancel(false);
        }
    }

    private static IOException late(Duration limit, String missing, @Nullable IOException cause) {
        SocketTimeoutException late = new SocketTimeoutException(missing + " within " + limit.toMillis() + " ms");
        late.initCause(cause);
        return late;
    }
}
