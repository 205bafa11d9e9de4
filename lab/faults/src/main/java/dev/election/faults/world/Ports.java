package dev.election.faults.world;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports that stay free while their server is down: below those that the kernel gives to outgoing connections. */
final class Ports {

    private static final int FIRST = 12_000;
    private static final int COUNT = 18_000;

    /** Two runs at a time should not look at the same ports. */
    private static final AtomicInteger next =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 1_009 % COUNT));

    private Ports() {}

    static int free() {
        for (int tries = 0; tries < COUNT; tries++) {
            int port = FIRST + next.getAndIncrement() % COUNT;
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException taken) {
                // The next one may be free.
            }
        }
        throw new IllegalStateException("No free port");
    }
}
