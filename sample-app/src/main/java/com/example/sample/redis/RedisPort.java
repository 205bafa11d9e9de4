package com.example.sample.redis;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.jspecify.annotations.Nullable;

/** Where a Redis may listen on this machine. */
record RedisPort(String host, int port) {

    private static final int TIMEOUT_MILLIS = 1000;

    /** A connection, or {@code null} if nobody listens. */
    @Nullable
    Socket connect() {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
            return socket;
        } catch (IOException nobodyThere) {
            return null;
        }
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
