package dev.election.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** A Redis whose clock seems to be another, and that is late with the answer when it is asked for the time. */
public final class RedisProxy implements AutoCloseable {

    /** The answer to {@code TIME}: seconds and microseconds. */
    private static final Pattern TIME = Pattern.compile("\\*2\r\n\\$10\r\n(\\d{10})\r\n");

    private final ServerSocket socket;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final int target;
    private final Duration delay;
    private final Duration clockShift;

    public RedisProxy(RedisServer redis, Duration delay, Duration clockShift) {
        this.target = redis.port();
        this.delay = delay;
        this.clockShift = clockShift;
        try {
            this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        run(this::accept);
    }

    public int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                open.add(client);
                open.add(server);
                run(() -> pass(client, server, false));
                run(() -> pass(server, client, true));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void pass(Socket from, Socket to, boolean isAnswer) {
        byte[] buffer = new byte[64 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
                if (isAnswer && TIME.matcher(text).find()) {
                    // The delay is what this is there for.
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(delay.toMillis()));
                    text = TIME.matcher(text)
                            .replaceAll(time -> "*2\r\n\\$10\r\n"
                                    + (Long.parseLong(time.group(1)) + clockShift.toSeconds()) + "\r\n");
                }
                out.write(text.getBytes(StandardCharsets.ISO_8859_1));
                out.flush();
            }
        } catch (IOException ended) {
            close(from);
            close(to);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open.forEach(RedisProxy::close);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(Runnable task) {
        Thread thread = new Thread(task, "redis-proxy");
        thread.setDaemon(true);
        thread.start();
    }
}
