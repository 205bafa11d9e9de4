package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy: the way from one node to one server, which can be made bad. Where servers use it as well, as the address by which
 * everybody knows a server, their way can be made bad apart from that of the nodes.
 */
public final class Link implements AutoCloseable {

    /** Nodes connect from here; servers from other addresses of the loopback, so that a link can tell one from another. */
    private static final String NODES_ADDRESS = "127.0.0.1";

    private final int port;
    private final @Nullable Pattern sender;
    private volatile int target;
    private final Set<Passage> passages = ConcurrentHashMap.newKeySet();

    private final Map<String, Conditions> conditions = new ConcurrentHashMap<>();
    private final AtomicLong made = new AtomicLong();
    private volatile long stalledUntil = System.nanoTime();
    private @Nullable Door door;

    /** To the server at that port, and fine. */
    public Link(int target) {
        this(target, Conditions.FINE);
    }

    /** To the server at that port. */
    public Link(int target, Conditions conditions) {
        this(target, conditions, null);
    }

    /**
     * To the server at that port, by which other servers reach it that can't choose from which address they connect.
     *
     * @param sender whose first group is taken for the address of a connection, if it is found in its first bytes
     */
    public Link(int target, Pattern sender) {
        this(target, Conditions.FINE, sender);
    }

    private Link(int target, Conditions conditions, @Nullable Pattern sender) {
        this.target = target;
        this.sender = sender;
        become(conditions);
        this.door = listen(Ports.listen());
        this.port = door.socket().getLocalPort();
    }

    public int port() {
        return port;
    }

    /** The port of the server. */
    int target() {
        return target;
    }

    /** The conditions of connections from that address. */
    Conditions conditions(String from) {
        return conditions.getOrDefault(from, Conditions.FINE);
    }

    /** The address of a connection that begins so. */
    Optional<String> sender(byte[] first) {
        return Optional.ofNullable(sender)
                .map(pattern -> pattern.matcher(new String(first, StandardCharsets.ISO_8859_1)))
                .filter(Matcher::find)
                .map(found -> found.group(1));
    }

    /** Changes the conditions of nodes from now on, on present connections as well as on new ones. */
    public void become(Conditions changed) {
        becomeFor(NODES_ADDRESS, changed);
    }

    /** Changes the conditions of connections from the address of a server. */
    public void becomeFor(String address, Conditions changed) {
        conditions.put(address, changed);
        passages.forEach(Passage::look);
    }

    /** From now on nothing arrives for that long, on no connection; then all of it does. */
    public void stall(Duration time) {
        stalledUntil = System.nanoTime() + time.toNanos();
    }

    /** Lets nothing arrive for that long on the connections that are open now; then all of it does. */
    public void stallOpenConnections(Duration time) {
        passages.forEach(passage -> passage.stall(time));
    }

    /** Ends all connections; from now on it accepts others and says nothing. */
    public void hang() {
        become(Conditions.MUTE);
        passages.forEach(Passage::reset);
    }

    /** Ends all connections; from now on it leads to the server at that port, as an address does after a failover. */
    public void redirect(int other) {
        target = other;
        passages.forEach(Passage::reset);
    }

    /** How many there are. */
    public int connections() {
        return passages.size();
    }

    /** How many there ever were. */
    public long connectionsMade() {
        return made.get();
    }

    long stalledUntil() {
        return stalledUntil;
    }

    /** Ends all connections and lets none in, until it is opened again. */
    public synchronized void refuse() {
        if (door != null) {
            door.close();
            door = null;
        }
        // Those that come through the door now are reset where they come in.
        passages.forEach(Passage::reset);
    }

    public synchronized void open() {
        if (door == null) {
            door = listen(Ports.listenAgain(port));
        }
    }

    /** Lets connections in. */
    private Door listen(ServerSocket opened) {
        Thread porter = new Thread(() -> letIn(opened), "link-" + opened.getLocalPort());
        porter.setDaemon(true);
        porter.start();
        return new Door(opened, porter);
    }

    @Override
    public void close() {
        refuse();
    }

    void gone(Passage passage) {
        passages.remove(passage);
    }

    private void letIn(ServerSocket opened) {
        while (true) {
            try {
                Socket client = opened.accept();
                try {
                    Passage passage = new Passage(this, client, new Socket(InetAddress.getLoopbackAddress(), target));
                    passages.add(passage);
                    made.incrementAndGet();
                    if (!opened.isClosed()) {
                        passage.begin();
                    }
                    if (opened.isClosed()) {
                        passage.reset();
                    }
                } catch (IOException noServer) {
                    client.close();
                }
            } catch (IOException closed) {
                return;
            }
        }
    }

    /** Where connections come in. */
    private record Door(ServerSocket socket, Thread porter) {

        /** How long a porter may take to leave, unless it connects to the server, when nobody else comes in. */
        private static final long PATIENCE_MILLIS = 1_000;

        /** The system lets connections in until whoever waits for them has left. */
        private void close() {
            try {
                socket.close();
                porter.join(PATIENCE_MILLIS);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
