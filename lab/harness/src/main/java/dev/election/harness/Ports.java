package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports that stay free until their server is there, and while it is down: below those that the kernel gives to outgoing connections. */
public final class Ports {

    private static final int FIRST = 12_000;
    private static final int COUNT = 18_000;
    private static final int BACKLOG = 200;
    private static final int LONGEST_CONNECT_MILLIS = 1_000;

    /** Of a process: until its program runs. */
    private static final Duration LONGEST_START = Duration.ofSeconds(10);

    /** The processes that run tests side by side should not look at the same ports. */
    private static final AtomicInteger next =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 1_009 % COUNT));

    private Ports() {}

    /**
     * A port where nobody listens. It is asked for by connecting: a socket that listens for a moment may be listening still when its port is
     * used, because a process that is being started holds copies of this one's sockets until its program runs.
     */
    public static int free() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = next();
            try (Socket asking = new Socket()) {
                asking.connect(at(port), LONGEST_CONNECT_MILLIS);
            } catch (ConnectException refused) {
                return port;
            } catch (IOException taken) {
                // The next one may be free.
            }
        }
        throw new IllegalStateException("No free port");
    }

    /** A socket that listens at a port which others leave alone while nobody listens there. */
    static ServerSocket listen() {
        for (int tries = 0; tries < COUNT; tries++) {
            try {
                return new ServerSocket(next(), BACKLOG, InetAddress.getLoopbackAddress());
            } catch (IOException taken) {
                // The next one may be free.
            }
        }
        throw new IllegalStateException("No free port");
    }

    /** A socket that listens where a closed one did, of which a process that is being started may still hold a copy. */
    static ServerSocket listenAgain(int port) {
        try {
            ServerSocket door = new ServerSocket();
            Wait.until("port " + port + " to be free", LONGEST_START, () -> {
                door.bind(at(port), BACKLOG);
                return true;
            });
            return door;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int next() {
        return FIRST + next.getAndIncrement() % COUNT;
    }

    private static InetSocketAddress at(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
