package dev.election.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A server on loopback that does with each connection what a test says. */
final class ScriptedServer implements AutoCloseable {

    private final ServerSocket door;
    private final Queue<Socket> accepted = new ConcurrentLinkedQueue<>();

    /** What is done with a connection. It is closed afterwards. */
    interface Script {

        void run(Peer peer) throws Exception;
    }

    ScriptedServer(Script script) {
        try {
            door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        begin(() -> {
            while (true) {
                Socket socket = door.accept();
                accepted.add(socket);
                begin(() -> {
                    try (socket) {
                        script.run(new Peer(socket));
                    }
                });
            }
        });
    }

    private interface Task {

        void run() throws Exception;
    }

    private static void begin(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (Exception over) {
                // The test has ended, or the client has.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    URI address(String scheme) {
        return URI.create(scheme + "://127.0.0.1:" + door.getLocalPort());
    }

    int connections() {
        return accepted.size();
    }

    @Override
    public void close() throws IOException {
        door.close();
        for (Socket socket : accepted) {
            socket.close();
        }
    }

    /** The other end of a connection. */
    static final class Peer {

        private final BufferedReader in;
        private final OutputStream out;

        private Peer(Socket socket) throws IOException {
            socket.setTcpNoDelay(true);
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            out = socket.getOutputStream();
        }

        /** Reads a request up to the end of its head, and that many characters of its body. Fails at the end. */
        String read(int body) throws IOException {
            StringBuilder request = new StringBuilder();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                request.append(line).append('\n');
                if (line.isEmpty()) {
                    for (int i = 0; i < body; i++) {
                        request.append((char) in.read());
                    }
                    return request.toString();
                }
            }
            throw new IOException("The client has closed the connection");
        }

        void send(String text) throws IOException {
            send(text.getBytes(StandardCharsets.UTF_8));
        }

        void send(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        /** Sends byte by byte, each after a while. */
        void drip(String text) throws IOException, InterruptedException {
            for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
                send(new byte[] {one});
                Thread.sleep(20);
            }
        }

        /** Waits until the client closes the connection. */
        void awaitEnd() throws IOException {
            while (in.read() >= 0) {
                continue;
            }
        }
    }
}
