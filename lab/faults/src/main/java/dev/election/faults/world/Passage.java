package dev.election.faults.world;

import dev.election.faults.world.Conditions.Flow;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** One connection through a link: a thread for each direction. */
final class Passage {

    private final Link link;
    private final Socket client;
    private final Socket server;
    private final String from;

    Passage(Link link, Socket client, Socket server) throws SocketException {
        this.link = link;
        this.client = client;
        this.server = server;
        this.from = client.getInetAddress().getHostAddress();
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
    }

    void begin() throws IOException {
        SlowWay requests = slowWay(server, Conditions::requests);
        if (link.conditions(from).requests() instanceof Flow.Slow) {
            // The client takes itself to be connected already, but nothing passes before it would be.
            requests.shakeHands();
        }
        SlowWay replies = slowWay(client, Conditions::replies);
        start("requests", () -> pump(client, server, requests, Conditions::requests));
        start("replies", () -> pump(server, client, replies, Conditions::replies));
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

    private SlowWay slowWay(Socket to, Function<Conditions, Flow> direction) throws IOException {
        return new SlowWay(to.getOutputStream(), () -> direction.apply(link.conditions(from)), new Random(), this::end);
    }

    private void pump(Socket source, Socket to, SlowWay slowWay, Function<Conditions, Flow> direction) {
        byte[] buffer = new byte[8192];
        Gauge gauge = new Gauge(link.conditions(from));
        try {
            int count;
            do {
                count = Math.max(0, source.getInputStream().read(buffer));
                // The end is a message like any other: it does not overtake what is held back.
                awaitRelease(direction);
                Conditions now = link.conditions(from);
                if (gauge.hasLost) {
                    // What comes after a hole never arrives.
                    continue;
                }
                if (direction.apply(now) instanceof Flow.Slow || slowWay.isBusy()) {
                    slowWay.send(Arrays.copyOf(buffer, count));
                } else {
                    to.getOutputStream().write(buffer, 0, gauge.passing(now, direction.apply(now), count));
                }
                if (direction.apply(now) instanceof Flow.Reset reset && gauge.passed >= reset.bytes()) {
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
        while (direction.apply(link.conditions(from)) instanceof Flow.Held) {
            wait();
        }
    }

    private void end() {
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

    /** How many bytes have come since the conditions became what they are. */
    private static final class Gauge {

        private Conditions since;
        private long passed;
        private boolean hasLost;

        Gauge(Conditions since) {
            this.since = since;
        }

        /** Waits as long as the conditions demand, and says how many of the bytes pass. */
        int passing(Conditions now, Flow flow, int count) throws InterruptedException {
            if (!now.equals(since)) {
                since = now;
                passed = 0;
            }
            int passing = count;
            if (flow instanceof Flow.Late late) {
                TimeUnit.MILLISECONDS.sleep(late.millis());
            } else if (flow instanceof Flow.Narrow narrow) {
                TimeUnit.MILLISECONDS.sleep(1000L * count / narrow.bytesPerSecond());
            } else if (flow instanceof Flow.Lossy lossy) {
                passing = atMost(lossy.bytes(), count);
                hasLost = passing < count;
            } else if (flow instanceof Flow.Reset reset) {
                passing = atMost(reset.bytes(), count);
            }
            passed += passing;
            return passing;
        }

        private int atMost(int limit, int count) {
            return (int) Math.max(0, Math.min(count, limit - passed));
        }
    }
}
