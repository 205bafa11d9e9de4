package dev.election.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection to Redis with nothing in between: what it takes to ask over it is what the machine takes, not a client. */
final class BareSocket implements AutoCloseable {

    private static final byte[] PING = "PING\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int ANSWER = "+PONG\r\n".length();

    private final Socket socket;

    BareSocket(int port) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
    }

    /** How long a question and its answer took. */
    long ping() throws IOException {
        long begun = System.nanoTime();
        socket.getOutputStream().write(PING);
        if (socket.getInputStream().readNBytes(ANSWER).length < ANSWER) {
            throw new EOFException("Redis has closed the connection");
        }
        return System.nanoTime() - begun;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
