package dev.election.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/** A link to a server on which everything takes its time, and on which nothing is lost: as TCP shows a link that loses packets. */
public final class SlowLink implements AutoCloseable {

    private final ServerSocket socket;
    private final int target;
    private volatile long delay;
    private final List<Connection> connections = new CopyOnWriteArrayList<>();
    private volatile long stalledUntil = System.nanoTime();
    private volatile boolean hangs;

    /**
     * @param delay each way
     */
    public SlowLink(RedisServer redis, Duration delay) {
        this.target = redis.port();
        this.delay = delay.toNanos();
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

    /** From now on everything takes that long each way. */
    public void slowDown(Duration delay) {
        this.delay = delay.toNanos();
    }

    /** From now on nothing arrives for that long, on no connection; then all of it does. */
    public void stall(Duration time) {
        stalledUntil = System.nanoTime() + time.toNanos();
    }

    /** The same, but only on the connections that are open now. */
    public void stallOpenConnections(Duration time) {
        connections.forEach(connection -> connection.stalledUntil = System.nanoTime() + time.toNanos());
    }

    /** Ends all connections, and from now on accepts others and says nothing. */
    public void hang() {
        hangs = true;
        connections.forEach(Connection::close);
    }

    /** How many were made since it hangs. */
    public long hanging() {
        return connections.stream().filter(connection -> connection.hangs).count();
    }

    /** How many of them the client has not ended yet. */
    public long hangingNow() {
        return connections.stream()
                .filter(connection -> connection.hangs && !connection.ended)
                .count();
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                connections.add(new Connection(socket.accept()));
            } catch (IOException closed) {
                return;
            }
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(Connection::close);
    }

    private static void run(Runnable task) {
        Thread thread = new Thread(task, "slow-link");
        thread.setDaemon(true);
        thread.start();
    }

    private record Chunk(long due, byte[] bytes) {}

    private final class Connection {

        private final Socket client;
        private final Socket server;
        private final boolean hangs = SlowLink.this.hangs;
        // The client believes it is connected one round trip too early: what it says first waits for that.
        private final long openAt = System.nanoTime() + 2 * delay;
        private volatile long stalledUntil = System.nanoTime();
        private volatile boolean ended;

        private Connection(Socket client) throws IOException {
            this.client = client;
            this.server = new Socket(InetAddress.getLoopbackAddress(), target);
            pass(client, hangs ? null : server);
            pass(server, client);
        }

        private void pass(Socket from, Socket to) {
            BlockingQueue<Chunk> queue = new LinkedBlockingQueue<>();
            run(() -> read(from, queue));
            if (to != null) {
                run(() -> write(to, queue));
            }
        }

        private void read(Socket from, BlockingQueue<Chunk> queue) {
            byte[] buffer = new byte[64 * 1024];
            try {
                InputStream in = from.getInputStream();
                for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                    long due = Math.max(System.nanoTime(), openAt) + delay;
                    queue.add(new Chunk(due, Arrays.copyOf(buffer, read)));
                }
            } catch (IOException broken) {
                // Ends as well.
            }
            ended = true;
            close();
        }

        private void write(Socket to, BlockingQueue<Chunk> queue) {
            try {
                OutputStream out = to.getOutputStream();
                while (!ended) {
                    Chunk chunk = queue.take();
                    waitUntil(chunk.due);
                    out.write(chunk.bytes);
                    out.flush();
                }
            } catch (IOException broken) {
                close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void waitUntil(long due) {
            while (!ended) {
                long now = System.nanoTime();
                long left = Math.max(due - now, Math.max(stalledUntil - now, SlowLink.this.stalledUntil - now));
                if (left <= 0) {
                    return;
                }
                LockSupport.parkNanos(left);
            }
        }

        private void close() {
            for (Socket end : List.of(client, server)) {
                try {
                    end.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
