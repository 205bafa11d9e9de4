package dev.election.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Every command that Redis executes, in its own order and by its own clock. Unlike the statistics of Redis it tells what clients send
 * from what their scripts call.
 */
final class Monitor implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String MARK = "ECHO";

    private final List<Call> calls = new ArrayList<>();
    private final Socket monitor;
    private final Socket marker;
    private int marks;

    Monitor(int redisPort) throws IOException, InterruptedException {
        monitor = new Socket(InetAddress.getLoopbackAddress(), redisPort);
        marker = new Socket(InetAddress.getLoopbackAddress(), redisPort);
        send(monitor, "MONITOR");
        Thread reader = new Thread(this::read, "monitor");
        reader.setDaemon(true);
        reader.start();
    }

    /** Returns the present time of Redis, once everything that was executed before has been seen. */
    long mark() throws IOException, InterruptedException {
        String text = "mark-" + marks++;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        send(marker, MARK + " " + text);
        synchronized (this) {
            while (true) {
                for (int index = calls.size() - 1; index >= 0; index--) {
                    Call call = calls.get(index);
                    if (call.command().equals(MARK) && call.arguments().contains('"' + text + '"')) {
                        return call.micros();
                    }
                }
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    throw new IllegalStateException("MONITOR does not show a command within " + PATIENCE);
                }
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        }
    }

    /** The commands that clients or scripts executed from the first time until before the last. */
    synchronized List<Call> between(long from, long until) {
        return calls.stream()
                .filter(call -> call.micros() >= from && call.micros() < until)
                .filter(call -> !call.command().equals(MARK))
                .toList();
    }

    /** The requests of clients in that time. */
    List<Call> requests(long from, long until) {
        return between(from, until).stream().filter(call -> !call.isInScript()).toList();
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(monitor.getInputStream(), StandardCharsets.ISO_8859_1))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Call.read(line).ifPresent(this::add);
            }
        } catch (IOException closed) {
            return;
        }
    }

    private synchronized void add(Call call) {
        calls.add(call);
        if (call.command().equals(MARK)) {
            notifyAll();
        }
    }

    private static void send(Socket socket, String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        monitor.close();
        marker.close();
    }
}
