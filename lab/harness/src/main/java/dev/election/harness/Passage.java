package dev.election.harness;

import dev.election.harness.Conditions.Flow;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One connection through a link: a thread for each direction. */
final class Passage {

    private final Link link;
    private final Socket client;
    private final Socket server;
    private volatile String from;
    private volatile long stalledUntil = System.nanoTime();
    private boolean isOver;

    Passage(Link link, Socket client, Socket server) throws SocketException {
        this.link = link;
        this.client = client;
        this.server = server;
        this.from = client.getInetAddress().getHostAddress();
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void begin() throws IOException {
        OutputStream toServer = new Arrival(server.getOutputStream());
        OutputStream toClient = new Arrival(client.getOutputStream());
        SlowWay requests = slowWay(toServer, Conditions::requests);
        if (link.conditions(from).requests() instanceof Flow.Slow) {
            // The client takes itself to be connected already, but nothing passes before it would be.
            requests.shakeHands();
        }
        SlowWay replies = slowWay(toClient, Conditions::replies);
        InputStream fromClient = new Introduction(client.getInputStream());
        InputStream fromServer = server.getInputStream();
        start("requests", () -> pump(fromClient, toServer, requests, Conditions::requests));
        start("replies", () -> pump(fromServer, toClient, replies, Conditions::replies));
    }

    /** Nothing arrives for that long; then all of it does. */
    void stall(Duration time) {
        stalledUntil = System.nanoTime() + time.toNanos();
    }

    /** The conditions have changed. */
    synchronized void look() {
        notifyAll();
    }

    /** Both ends see a reset instead of an orderly end. */
    void reset() {
        try {
            client.setSoLinger(true, 0);
            server.setSoLinger(true, 0);
        } catch (SocketException closedAlready) {
            // Then neither end can see any more.
        }
        end();
    }

    private SlowWay slowWay(OutputStream to, Function<Conditions, Flow> direction) {
        return new SlowWay(to, () -> direction.apply(link.conditions(from)), new Random(), this::end);
    }

    private void pump(InputStream source, OutputStream to, SlowWay slowWay, Function<Conditions, Flow> direction) {
        byte[] buffer = new byte[8192];
        Gauge gauge = new Gauge(link.conditions(from));
        try {
            int count;
            do {
                count = Math.max(0, source.read(buffer));
                // The end is a message like any other: it does not overtake what is held back.
                awaitRelease(direction);
                Conditions now = link.conditions(from);
                Flow flow = direction.apply(now);
                if (gauge.hasLost()) {
                    continue;
                }
                if (flow instanceof Flow.Slow || slowWay.isBusy()) {
                    slowWay.send(Arrays.copyOf(buffer, count));
                } else if (flow instanceof Flow.Changed changed) {
                    to.write(changed.change().apply(Arrays.copyOf(buffer, count)));
                } else {
                    to.write(buffer, 0, gauge.passing(now, flow, count));
                }
                if (flow instanceof Flow.Reset reset && gauge.hasPassed(reset.bytes())) {
                    reset();
                }
            } while (count > 0);
            slowWay.awaitArrival();
        } catch (IOException | InterruptedException over) {
            // Either end is gone, so the other goes as well.
        } finally {
            slowWay.close();
            end();
        }
    }

    private synchronized void awaitRelease(Function<Conditions, Flow> direction) throws InterruptedException {
        while (direction.apply(link.conditions(from)) instanceof Flow.Held && !isOver) {
            wait();
        }
    }

    private synchronized void awaitEndOfStalls() throws InterruptedException {
        for (long left = stalledFor(); left > 0 && !isOver; left = stalledFor()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private long stalledFor() {
        long now = System.nanoTime();
        return Math.max(stalledUntil - now, link.stalledUntil() - now);
    }

    private void end() {
        synchronized (this) {
            isOver = true;
            notifyAll();
        }
        try (client;
                server) {
            link.gone(this);
        } catch (IOException closedAlready) {
            // What is not open need not be closed.
        }
    }

    private void start(String direction, Runnable pump) {
        Thread thread = new Thread(pump, "link-" + direction);
        thread.setDaemon(true);
        thread.start();
    }

    /** Hears from the first bytes whose connection it is. */
    private final class Introduction extends FilterInputStream {

        private boolean isOver;

        Introduction(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            if (!isOver && count > 0) {
                isOver = true;
                from = link.sender(Arrays.copyOfRange(bytes, offset, offset + count))
                        .orElse(from);
            }
            return count;
        }
    }

    /** Where bytes arrive, but not while the connection stalls. */
    private final class Arrival extends OutputStream {

        private final OutputStream to;

        Arrival(OutputStream to) {
            this.to = to;
        }

        @Override
        public void write(int next) throws IOException {
            write(new byte[] {(byte) next}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            try {
                awaitEndOfStalls();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
            to.write(bytes, from, count);
        }
    }
}
