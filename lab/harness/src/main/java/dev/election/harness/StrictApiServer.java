package dev.election.harness;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * An API server in this JVM that speaks only what the store for Kubernetes says, answers as a real one does, and refuses everything else
 * with 400. On demand it does what a real one can't be made to do.
 */
public final class StrictApiServer implements ApiServer {

    private final Certificate certificate;
    private final SSLContext tls;
    private final int port;
    private final ApiObjects objects = new ApiObjects();
    private final ApiAnswers answers = new ApiAnswers(objects);
    private final Set<ApiConnection> connections = ConcurrentHashMap.newKeySet();
    private final Queue<Plan> plans = new ConcurrentLinkedQueue<>();
    private final Map<ApiVerb, LongAdder> counts = new ConcurrentHashMap<>();
    private final Queue<String> refusals = new ConcurrentLinkedQueue<>();
    private ServerSocket door;
    private Thread porter;

    /** A fault, and how many requests still meet it. */
    private record Plan(ApiFault fault, AtomicInteger left, Set<ApiVerb> verbs) {

        boolean meets(ApiVerb verb) {
            return verbs.contains(verb) && left.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
        }
    }

    public StrictApiServer() {
        this(Certificate.LOOPBACK);
    }

    private StrictApiServer(Certificate certificate) {
        this.certificate = certificate;
        this.tls = Certificate.context(certificate, Certificate.CLIENT);
        this.door = Ports.listen();
        this.port = door.getLocalPort();
        this.porter = begin("strict-api-server", this::accept);
    }

    /** A server whose certificate is that of another host. */
    public static StrictApiServer underAnotherName() {
        return new StrictApiServer(Certificate.ELSEWHERE);
    }

    @Override
    public URI address() {
        return URI.create("https://127.0.0.1:" + port);
    }

    @Override
    public Path certificate() {
        return certificate.files().certificate();
    }

    @Override
    public void start() {
        objects.restart();
        door = Ports.listenAgain(port);
        porter = begin("strict-api-server", this::accept);
    }

    @Override
    public void stop() {
        kill();
    }

    @Override
    public void kill() {
        try {
            door.close();
            // The system lets connections in until whoever waits for them has left.
            porter.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw Wait.interrupted(e);
        }
        dropConnections();
    }

    @Override
    public void close() {
        kill();
    }

    @Override
    public void snapshot() {
        objects.snapshot();
    }

    @Override
    public void restore() {
        kill();
        objects.restore();
        start();
    }

    @Override
    public void restoreBelow() {
        objects.restore();
    }

    @Override
    public void put(String path, String json) {
        ObjectNode object = (ObjectNode) ApiReply.JSON.readTree(json);
        object.withObject("/spec");
        ObjectNode unused = objects.write(key(path), object);
    }

    @Override
    public void delete(String path) {
        objects.delete(key(path));
    }

    @Override
    public String get(String path) {
        return requireNonNull(objects.get(key(path)), path).toString();
    }

    /** The next requests of those kinds, or of all kinds if none is given, meet that fault. Earlier ones come first. */
    public void next(int count, ApiFault fault, ApiVerb... verbs) {
        Collection<ApiVerb> which = List.of(verbs.length == 0 ? ApiVerb.values() : verbs);
        plans.add(new Plan(fault, new AtomicInteger(count), EnumSet.copyOf(which)));
    }

    /** All requests of those kinds, or of all kinds if none is given, meet that fault until {@link #heal()}. */
    public void always(ApiFault fault, ApiVerb... verbs) {
        next(Integer.MAX_VALUE, fault, verbs);
    }

    /** Ends all faults, but those that requests met already. */
    public void heal() {
        plans.clear();
        objects.setSilent(false);
    }

    /** Watches stay open and miss what happens until {@link #heal()}. */
    public void silenceWatches() {
        objects.setSilent(true);
    }

    /** Sends a bookmark to each watch. */
    public void bookmark() {
        objects.bookmark();
    }

    /** Forgets all events: a watch from an earlier version is answered with 410. */
    public void compact() {
        objects.compact();
    }

    /** Closes all connections, as the end of a process does. */
    public void dropConnections() {
        connections.forEach(ApiConnection::drop);
    }

    /** Takes that token for the user with all rights, and no longer the one before. */
    public void rotateToken(String token) {
        answers.rotate(token);
    }

    /** How many requests of those kinds, or of all kinds if none is given, have come. */
    public long count(ApiVerb... verbs) {
        long sum = 0;
        for (ApiVerb verb : verbs.length == 0 ? ApiVerb.values() : verbs) {
            sum += counts.getOrDefault(verb, new LongAdder()).sum();
        }
        return sum;
    }

    /** Requests that were refused as none of the store's, each with the reason. */
    public List<String> refusals() {
        return List.copyOf(refusals);
    }

    /** How many connections are open. */
    public int connections() {
        return connections.size();
    }

    /** How many watches are open. */
    public int watches() {
        return objects.watches();
    }

    ApiObjects objects() {
        return objects;
    }

    ApiAnswers answers() {
        return answers;
    }

    /** Counts a request, and returns the fault that it meets. */
    @Nullable
    ApiFault received(ApiVerb verb) {
        counts.computeIfAbsent(verb, unused -> new LongAdder()).increment();
        return plans.stream()
                .filter(plan -> plan.meets(verb))
                .map(Plan::fault)
                .findFirst()
                .orElse(null);
    }

    void refused(String request) {
        refusals.add(request);
    }

    void gone(ApiConnection connection) {
        connections.remove(connection);
    }

    private void accept() {
        ServerSocket open = door;
        while (!open.isClosed()) {
            try {
                Socket raw = open.accept();
                raw.setTcpNoDelay(true);
                SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(raw, "", port, true);
                socket.setUseClientMode(false);
                socket.setWantClientAuth(true);
                ApiConnection connection = new ApiConnection(this, raw, socket);
                connections.add(connection);
                Thread unused = begin("strict-api-connection", connection);
            } catch (IOException closed) {
                // Either the server is, which ends the loop, or the client's end.
            }
        }
    }

    private static Thread begin(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Objects are kept by the last words of their paths. */
    private static String key(String path) {
        String[] words = path.split("/", -1);
        int count = words.length;
        return words[count - 2] + "/" + words[count - 3] + "/" + words[count - 1];
    }
}
