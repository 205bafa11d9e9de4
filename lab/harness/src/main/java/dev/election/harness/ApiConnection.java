package dev.election.harness;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.security.Principal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A connection to a strict API server, and the thread that reads requests from it, one after the other. */
final class ApiConnection implements Runnable {

    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final StrictApiServer server;
    private final Socket raw;
    private final SSLSocket socket;
    private final CountDownLatch closed = new CountDownLatch(1);

    /** How many bytes of the reply may still be sent. */
    private long left = NO_LIMIT;

    private boolean hangs;

    ApiConnection(StrictApiServer server, Socket raw, SSLSocket socket) {
        this.server = server;
        this.raw = raw;
        this.socket = socket;
    }

    @Override
    public void run() {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            boolean again = true;
            while (again) {
                again = reply(ApiRequest.read(in));
            }
        } catch (IOException over) {
            // The client has gone, or a fault ended it.
        } catch (InterruptedException e) {
            throw Wait.interrupted(e);
        } finally {
            drop();
            server.gone(this);
        }
    }

    /** Closes it without any word of TLS, as the end of the process does. */
    void drop() {
        closed.countDown();
        try {
            raw.close();
        } catch (IOException closedAlready) {
            return;
        }
    }

    /** Returns whether another request may come. */
    private boolean reply(ApiRequest.Raw raw) throws IOException, InterruptedException {
        try {
            ApiRequest request = raw.parsed(server.address().getAuthority());
            ApiBodies.checkQuery(request);
            return reply(request);
        } catch (ApiRequest.RefusedException refused) {
            server.refused(raw.first() + ": " + refused.getMessage());
            return send(ApiReply.failure(400, "BadRequest", String.valueOf(refused.getMessage())), false);
        }
    }

    private boolean reply(ApiRequest request) throws IOException, InterruptedException {
        ApiFault fault = server.received(request.verb());
        if (fault instanceof ApiFault.Delay delay) {
            boolean unused = closed.await(delay.time().toNanos(), TimeUnit.NANOSECONDS);
        }
        if (fault instanceof ApiFault.Loss) {
            throw new EOFException("A fault");
        }
        left = fault instanceof ApiFault.Cut cut
                ? cut.bytes()
                : fault instanceof ApiFault.Hang hang ? hang.bytes() : NO_LIMIT;
        hangs = fault instanceof ApiFault.Hang;
        boolean last = fault instanceof ApiFault.LastReply;
        ApiReply instead = instead(request, fault);
        if (instead != null) {
            return send(instead, last);
        }
        if (request.verb() == ApiVerb.WATCH) {
            watch(request, last);
            return !last;
        }
        return send(server.answers().answer(request), last);
    }

    /** The reply to a request that comes to nothing. */
    private @Nullable ApiReply instead(ApiRequest request, @Nullable ApiFault fault) {
        if (fault instanceof ApiFault.Answer answer) {
            return new ApiReply(answer.status(), answer.type(), answer.headers(), answer.body());
        }
        if (fault instanceof ApiFault.Forbidden) {
            return ApiAnswers.forbidden(request, ApiServer.ADMIN);
        }
        if (fault instanceof ApiFault.Terminating) {
            return ApiAnswers.terminating(request);
        }
        return server.answers().refusal(request, principal());
    }

    private boolean send(ApiReply reply, boolean last) throws IOException, InterruptedException {
        StringBuilder head = head(reply.status(), reply.type(), last);
        reply.headers()
                .forEach((name, value) ->
                        head.append(name).append(": ").append(value).append("\r\n"));
        byte[] body = reply.body().getBytes(UTF_8);
        send(head.append("Content-Length: ")
                .append(body.length)
                .append("\r\n\r\n")
                .toString());
        send(body);
        return !last;
    }

    private void watch(ApiRequest request, boolean last) throws IOException, InterruptedException {
        long seconds = Long.parseLong(request.query().getOrDefault("timeoutSeconds", ""));
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        ApiObjects.Watch watch = server.objects().watch(request);
        try {
            send(head(200, "application/json", last) + "Transfer-Encoding: chunked\r\n\r\n");
            String line = next(watch, end);
            while (!line.isEmpty()) {
                send(Integer.toHexString(line.getBytes(UTF_8).length) + "\r\n" + line + "\r\n");
                line = next(watch, end);
            }
            send("0\r\n\r\n");
        } finally {
            server.objects().end(watch);
        }
    }

    /** Empty at the end of the watch. */
    private static String next(ApiObjects.Watch watch, long end) throws InterruptedException {
        String line = watch.lines().poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        return line == null ? ApiObjects.Watch.END : line;
    }

    private static StringBuilder head(int status, String type, boolean last) {
        StringBuilder head =
                new StringBuilder("HTTP/1.1 " + status + " Status\r\nCache-Control: no-cache, private\r\n");
        head.append("Content-Type: ").append(type).append("\r\n");
        return last ? head.append("Connection: close\r\n") : head;
    }

    private void send(String text) throws IOException, InterruptedException {
        send(text.getBytes(UTF_8));
    }

    /** Sends up to where the fault begins. */
    private void send(byte[] bytes) throws IOException, InterruptedException {
        int count = (int) Math.min(bytes.length, left);
        OutputStream out = socket.getOutputStream();
        out.write(bytes, 0, count);
        out.flush();
        if (left == NO_LIMIT) {
            return;
        }
        left -= count;
        if (left == 0) {
            if (hangs) {
                closed.await();
            }
            throw new EOFException("A fault");
        }
    }

    private @Nullable Principal principal() {
        try {
            return socket.getSession().getPeerPrincipal();
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }
}
