package dev.election.routing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that does to each request what a test says, in the place of a leader. */
final class Impostor implements AutoCloseable {

    private final ServerSocket server;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private volatile Behaviour behaviour = connection -> {};

    /** What happens when the head of a request has arrived. */
    @FunctionalInterface
    interface Behaviour {
        void answer(Socket connection) throws IOException;
    }

    Impostor() {
        try {
            server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread thread = new Thread(this::accept, "impostor");
        thread.setDaemon(true);
        thread.start();
    }

    String uri() {
        return "http://127.0.0.1:" + server.getLocalPort();
    }

    /** Behaves so from now on, and has seen no request. */
    void behave(Behaviour next) {
        behaviour = next;
        requests.clear();
    }

    /** Answers with that text. */
    void answer(String text) {
        behave(connection -> connection.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** The first lines of the requests since then. */
    List<String> requests() {
        return List.copyOf(requests);
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket connection = server.accept();
                connections.add(connection);
                Thread thread = new Thread(() -> serve(connection), "impostor-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try {
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String first = line;
                int length = 0;
                while (line != null && !line.isEmpty()) {
                    if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                        length = Integer.parseInt(
                                line.substring(line.indexOf(':') + 1).strip());
                    }
                    line = lines.readLine();
                }
                readSmall(lines, length);
                requests.add(first);
                behaviour.answer(connection);
            }
        } catch (IOException ended) {
            // By the other side, or by the test.
        }
    }

    /** The body of a large one is left unread. */
    private static void readSmall(BufferedReader lines, int length) throws IOException {
        for (int i = 0; i < length && length < 1024; i++) {
            int unused = lines.read();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket connection : connections) {
            connection.close();
        }
    }
}
