package com.example.sample.redis;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Counts who is connected to Redis, in its own wire protocol: a client library would be most of the guardian's memory. */
final class RedisClients implements AutoCloseable {

    private final Socket connection;
    private final DataInputStream replies;

    RedisClients(Socket connection) throws IOException {
        this.connection = connection;
        this.replies = new DataInputStream(new BufferedInputStream(connection.getInputStream()));
    }

    /** How many connections there are beside this one. */
    int others() throws IOException {
        connection.getOutputStream().write("CLIENT LIST\r\n".getBytes(StandardCharsets.US_ASCII));
        String header = line();
        if (!header.startsWith("$")) {
            throw new IOException("Redis does not list its clients, but says: " + header);
        }
        byte[] list = replies.readNBytes(Integer.parseInt(header.substring(1)));
        line();
        long clients = new String(list, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isEmpty())
                .count();
        return Math.toIntExact(clients) - 1;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = replies.read(); next != '\n'; next = replies.read()) {
            if (next < 0) {
                throw new EOFException("Redis has closed the connection");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
