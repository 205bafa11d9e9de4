package dev.election.faults.world;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy: the way from one node to one server, which can be made bad. Where servers use it as well, as the address by which
 * everybody knows a server, their way can be made bad apart from that of the nodes.
 */
public final class Link implements AutoCloseable {

    /** Nodes connect from here; servers from other addresses of the loopback, so that a link can tell one from another. */
    private static final String NODES_ADDRESS = "127.0.0.1";

    private final int port;
    private final int target;
    private final Set<Passage> passages = ConcurrentHashMap.newKeySet();

    private final Map<String, Conditions> conditions = new ConcurrentHashMap<>();
    private @Nullable Door door;

    Link(int target) throws IOException {
        this.target = target;
        this.port = listenSomewhere();
    }

    int port() {
        return port;
    }

    /** Those of connections from that address. */
    Conditions conditions(String from) {
        return conditions.getOrDefault(from, Conditions.FINE);
    }

    /** From now on, for the present connections of nodes as well as for new ones. */
    public void become(Conditions changed) {
        becomeFor(NODES_ADDRESS, changed);
    }

    /** The same for connections from the address of a server. */
    void becomeFor(String address, Conditions changed) {
        conditions.put(address, changed);
        passages.forEach(Passage::look);
    }

    /** Ends all connections and lets none in, until it is opened again. */
    public synchronized void refuse() throws IOException {
        if (door != null) {
            door.close();
            door = null;
        }
        // Those that come through the door now are reset where they come in.
        passages.forEach(Passage::reset);
    }

    public synchronized void open() throws IOException {
        if (door == null) {
            listen(port);
        }
    }

    /** At a port that no outgoing connection takes while this lets none in. Others look for ports, too: one that was free may be taken. */
    private int listenSomewhere() throws IOException {
        for (int at = Ports.free(); ; at = Ports.free()) {
            try {
                listen(at);
                return at;
            } catch (BindException taken) {
                // By somebody who was faster: the next one may be free.
            }
        }
    }

    /** Lets connections in at that port. */
    private void listen(int at) throws IOException {
        ServerSocket opened = new ServerSocket();
        opened.setReuseAddress(true);
        opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), at));
        Thread porter = new Thread(() -> letIn(opened), "link-" + opened.getLocalPort());
        porter.setDaemon(true);
        porter.start();
        door = new Door(opened, porter);
    }

    @Override
    public void close() throws IOException {
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
        private void close() throws IOException {
            socket.close();
            try {
                porter.join(PATIENCE_MILLIS);
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
