package com.example.sample.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;

/** Ports that stay free until their server is there, and while it is down: below those that the kernel gives to outgoing connections. */
public final class Ports {

    private static final int FIRST = 12_000;
    private static final int COUNT = 18_000;

    /** The processes that run tests side by side should not look at the same ports. */
    private static final AtomicInteger next =
            new AtomicInteger((int) (ProcessHandle.current().pid() * 1_009 % COUNT));

    private Ports() {}

    public static int free() {
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
