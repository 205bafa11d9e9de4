package dev.election.etcd.internal;

import dev.election.StoreProblem;
import dev.election.etcd.EtcdAccess;
import dev.election.http.HttpCall;
import dev.election.http.HttpConnection;
import dev.election.http.HttpDeadlines;
import dev.election.http.HttpFailure;
import dev.election.http.HttpReply;
import dev.election.http.HttpServer;
import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.record.KeptConnections;
import dev.election.store.NoAnswer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The JSON gateway of etcd. Each request is sent once, on the connection that is given; one that etcd has refused for its token is sent
 * again with another one. A reply that is none of the expected ones is an {@link HttpFailure}.
 */
final class EtcdGateway implements KeptConnections.Kind<ProvenConnection> {

    private static final String JSON = "application/json";

    private final EtcdAccess access;
    private final EtcdKeys keys;
    private final EtcdHistory history = new EtcdHistory();
    private final HttpDeadlines deadlines = new HttpDeadlines("election-etcd-deadline");
    private final Duration limit;
    private final AtomicInteger turn = new AtomicInteger();

    /** The members that could not answer when they were asked last. */
    private final Set<URI> silent = ConcurrentHashMap.newKeySet();

    /** The latest token, {@code null} as long as etcd has not asked for one. */
    private volatile @Nullable String token;

    EtcdGateway(EtcdAccess access, EtcdKeys keys, Duration limit) {
        this.access = access;
        this.keys = keys;
        this.limit = limit;
    }

    EtcdHistory history() {
        return history;
    }

    @Override
    public ProvenConnection open() throws IOException {
        return new ProvenConnection(this::connect, history.proof());
    }

    @Override
    public NoAnswer answer(Throwable failure) {
        return EtcdFailure.answer(failure);
    }

    /** Takes no more deadlines. */
    void close() {
        deadlines.close();
    }

    /**
     * Connects to the next member that can be reached: connections to several outlast the end of one. One that has lost the others can be reached and
     * answers nothing, so those that answer come first.
     */
    private HttpConnection connect() throws IOException {
        List<URI> order = new ArrayList<>(access.endpoints());
        Collections.rotate(order, -turn.getAndIncrement());
        order.sort(Comparator.comparing(silent::contains));
        HttpFailure last = null;
        for (URI endpoint : order) {
            try {
                return HttpConnection.open(
                        new HttpServer(endpoint, access.tls().context()), deadlines, limit.dividedBy(order.size()));
            } catch (IOException failure) {
                silent.add(endpoint);
                last = new HttpFailure(HttpFailure.answer(failure, named(endpoint)));
            }
        }
        throw last == null ? new IOException("no endpoint") : last;
    }

    /** Sends a request, and returns its reply. */
    Map<String, Object> ask(HttpConnection connection, String path, Map<String, Object> body) throws IOException {
        String before = token;
        HttpReply reply = exchange(connection, path, body);
        if (isRefused(reply)) {
            authenticate(connection, before);
            reply = exchange(connection, path, body);
        }
        Map<String, Object> answer = object(connection, reply, path);
        if (Json.number(Json.at(answer, "header"), "revision") == 0) {
            throw foreign(reply.body());
        }
        return answer;
    }

    private HttpReply exchange(HttpConnection connection, String path, Map<String, Object> body) throws IOException {
        try {
            HttpReply reply = connection.exchange(call(path, body), limit);
            silent.remove(connection.address());
            return reply;
        } catch (IOException failure) {
            silent.add(connection.address());
            throw new HttpFailure(HttpFailure.answer(failure, named(connection.address())));
        }
    }

    private static String named(URI member) {
        return "etcd at " + member;
    }

    /** Passes on each part of a reply that goes on, until the server ends it. */
    void watch(HttpConnection connection, Map<String, Object> body, Consumer<Map<String, Object>> part)
            throws IOException {
        String path = "/v3/watch";
        HttpReply refused =
                connection.stream(call(path, body), limit, () -> {}, line -> part.accept(Json.object(line)));
        if (refused != null) {
            throw failure(connection, refused.status(), refused.body(), path);
        }
    }

    /** Returns the failure of a reply, or of a part of one. Another connection may lead to a member that can answer. */
    HttpFailure failure(HttpConnection connection, int status, String body, String path) {
        HttpFailure failure = EtcdFailure.of(status, body, path, keys);
        if (EtcdFailure.isOfMember(EtcdFailure.answer(failure))) {
            silent.add(connection.address());
            connection.close();
        }
        return failure;
    }

    /** Whether etcd has not carried out a request, since it wants another token, or one at all. */
    private boolean isRefused(HttpReply reply) {
        String body = reply.body();
        return access.user() != null
                && reply.status() != 200
                && (body.contains("invalid auth token")
                        || body.contains("user name is empty")
                        || body.contains("revision in header is old"));
    }

    private void authenticate(HttpConnection connection, @Nullable String refused) throws IOException {
        EtcdAccess.User user = access.user();
        String present = token;
        if (user == null || (present != null && !present.equals(refused))) {
            // Another thread has fetched one meanwhile.
            return;
        }
        String path = "/v3/auth/authenticate";
        token = null;
        Map<String, Object> body = Map.of("name", user.name(), "password", user.password());
        token = Json.text(object(connection, exchange(connection, path, body), path), "token");
    }

    private HttpCall call(String path, Map<String, Object> body) {
        String present = token;
        // A member without a leader refuses at once, and ends a watch.
        Map<String, String> headers = present == null
                ? Map.of("Grpc-Metadata-hasleader", "true")
                : Map.of("Grpc-Metadata-hasleader", "true", "Authorization", present);
        return new HttpCall("POST", path, headers, new HttpCall.Body(JSON, Json.write(body)));
    }

    private Map<String, Object> object(HttpConnection connection, HttpReply reply, String path) throws IOException {
        if (reply.status() != 200) {
            throw failure(connection, reply.status(), reply.body(), path);
        }
        try {
            return Json.object(reply.body());
        } catch (IllegalArgumentException invalid) {
            throw foreign(reply.body());
        }
    }

    private static HttpFailure foreign(String body) {
        return new HttpFailure(new NoAnswer(
                StoreProblem.UNREACHABLE,
                HttpFailure.shown(body),
                "the reply is not from an etcd: check the endpoints, and what is in between"));
    }
}
