package dev.election.faults.redis;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One connection to a server on loopback. Replies are strings, {@code Long}s, lists of them, or empty text for nil. */
public final class RedisTalk implements AutoCloseable {

    private final Socket socket = new Socket();
    private final InputStream in;

    public RedisTalk(int port, Duration patience) throws IOException {
        int millis = Math.toIntExact(patience.toMillis());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(millis);
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends the command and waits for its reply. */
    public Object ask(String... command) throws IOException {
        send(command);
        return reply();
    }

    /** Sends the command and leaves it at that. */
    public void send(String... command) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(ascii("*" + command.length + "\r\n"));
        for (String word : command) {
            byte[] text = word.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(ascii("$" + text.length + "\r\n"));
            bytes.writeBytes(text);
            bytes.writeBytes(ascii("\r\n"));
        }
        socket.getOutputStream().write(bytes.toByteArray());
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private Object reply() throws IOException {
        int kind = in.read();
        String line = line();
        switch (kind) {
            case '+' -> {
                return line;
            }
            case '-' -> throw new RefusedException(line);
            case ':' -> {
                return Long.parseLong(line);
            }
            case '$' -> {
                return Integer.parseInt(line) < 0 ? "" : bulk(Integer.parseInt(line));
            }
            case '*' -> {
                List<Object> all = new ArrayList<>();
                for (int left = Integer.parseInt(line); left > 0; left--) {
                    all.add(reply());
                }
                return all;
            }
            default -> throw new EOFException("The server hung up");
        }
    }

    private String bulk(int length) throws IOException {
        byte[] text = in.readNBytes(length);
        line();
        return new String(text, StandardCharsets.UTF_8);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The server hung up");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The server answered with an error. */
    public static final class RefusedException extends IOException {
        RefusedException(String message) {
            super(message);
        }
    }
}
