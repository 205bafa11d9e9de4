package dev.election.etcd.internal;

import dev.election.etcd.EtcdAccess;
import dev.election.etcd.EtcdSettings;
import dev.election.http.HttpDeadlines;
import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.record.ConnectionProof;
import dev.election.record.GatheredReads;
import dev.election.record.KeptConnections;
import dev.election.record.RecordStore;
import dev.election.record.RecordWatch;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.StoreTraits;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Record store in etcd, with a key for each text. */
public final class EtcdRecordStore implements RecordStore, AutoCloseable {

    private static final int CONNECTIONS = 2;

    /** The operations that etcd takes in one request, unless it is configured otherwise. */
    private static final int OPERATIONS = 128;

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** How long a leader needs to hear that its key was made anew, and to renew. */
    private static final Duration COMEBACK = Duration.ofSeconds(2);

    private final StoreTraits traits;
    private final String location;
    private final EtcdKeys keys;
    private final EtcdGateway gateway;
    private final HttpDeadlines deadlines = new HttpDeadlines("election-etcd-deadline");
    private final EtcdHistory history;
    private final KeptConnections<ProvenConnection> connections;
    private final GatheredReads<ProvenConnection> reads;
    private final RecordWatch watch;

    /**
     * Creates the store, which connects to nothing yet.
     *
     * @param shortestLease the shortest lease of the elections: a third of it is the time limit for an answer, within bounds
     */
    public EtcdRecordStore(EtcdAccess access, EtcdSettings settings, Duration shortestLease) {
        this.traits = new StoreTraits(
                "etcd",
                settings.separatedBy(),
                Duration.ofMillis(1),
                SHORTEST_LEASE,
                TIMEOUT,
                COMEBACK,
                shortestLease.plus(TIMEOUT));
        this.location = "etcd ("
                + access.endpoints().stream().map(URI::toString).collect(Collectors.joining(", ")) + "), keys "
                + settings.prefix() + "/*";
        this.keys = new EtcdKeys(settings.prefix());
        Duration limit = KeptConnections.limit(shortestLease);
        this.gateway = new EtcdGateway(access, keys, deadlines, limit);
        this.history = new EtcdHistory(this::replaced);
        this.watch = new RecordWatch(
                "election-etcd-watch",
                "the keys of the elections",
                shortestLease,
                new EtcdEvents(gateway, history, keys));
        this.connections = new KeptConnections<>("election-etcd", CONNECTIONS, limit, new KeptConnections.Kind<>() {
            @Override
            public ProvenConnection open() throws IOException {
                return history.connection(gateway);
            }

            @Override
            public NoAnswer answer(Exception failure) {
                return EtcdFailure.answer(failure);
            }
        });
        this.reads = new GatheredReads<>(connections, this::read);
    }

    private void replaced() {
        watch.replaced();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public boolean hearsAtOnce() {
        return watch.isListening();
    }

    @Override
    public void together(Runnable calls) {
        reads.together(calls);
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        return reads.read(key);
    }

    private Map<String, ReadOutcome> read(ProvenConnection connection, Set<String> wanted) throws IOException {
        List<String> all = List.copyOf(wanted);
        Map<String, ReadOutcome> outcomes = new HashMap<>();
        for (int from = 0; from < all.size(); from += OPERATIONS) {
            List<String> some = all.subList(from, Math.min(all.size(), from + OPERATIONS));
            Reply reply = ask(
                    connection,
                    "/v3/kv/txn",
                    Map.of("success", some.stream().map(keys::read).toList()),
                    false);
            for (int i = 0; i < some.size(); i++) {
                String key = some.get(i);
                outcomes.put(key, new Read(found(key, reply, i), reply.origin));
            }
        }
        return outcomes;
    }

    /** A reply, with the proof of the store that has given it. */
    private record Reply(Map<String, Object> body, Origin origin) {}

    private Reply ask(ProvenConnection connection, String path, Map<String, Object> request, boolean isWrite)
            throws IOException {
        ConnectionProof.Sent sent = history.sending();
        Map<String, Object> body = gateway.ask(connection.http(), path, request);
        boolean hasWritten = isWrite && body.get("succeeded") == Boolean.TRUE;
        return new Reply(body, history.origin(connection, sent, Json.at(body, "header"), hasWritten));
    }

    /** Returns the text in a reply to an operation that has read one key. */
    private @Nullable Stored found(String key, Reply reply, int operation) {
        Map<String, Object> response = Json.objects(reply.body, "responses").get(operation);
        return Json.objects(Json.at(response, "response_range"), "kvs").stream()
                .findFirst()
                .map(shown -> noticed(key, EtcdKeys.stored(shown)))
                .orElse(null);
    }

    private Stored noticed(String key, Stored stored) {
        watch.noticed(key, Long.parseLong(stored.version()));
        return stored;
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return write(
                key,
                keys.write(key, expected, keys.put(key, text)),
                revision -> noticed(key, new Stored(text, revision)));
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        return write(key, keys.write(key, expected, keys.delete(key)), revision -> {
            watch.noticed(key, Long.parseLong(revision));
            return null;
        });
    }

    /** Makes the text of a key from the revision of the write. */
    private interface Revised {

        @Nullable
        Stored at(String revision);
    }

    private CompletionStage<ReplaceOutcome> write(String key, Map<String, Object> request, Revised revised) {
        return connections.ask(
                connection -> {
                    Reply reply = ask(connection, "/v3/kv/txn", request, true);
                    return reply.body.get("succeeded") == Boolean.TRUE
                            ? new Written(
                                    revised.at(Json.text(Json.at(reply.body, "header"), "revision")), reply.origin)
                            : new Conflict(found(key, reply, 0), reply.origin);
                },
                Failed::new);
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        Map<String, Object> request = new HashMap<>(keys.range(prefix));
        request.put("keys_only", true);
        return connections.ask(
                connection -> {
                    List<String> listed = new ArrayList<>();
                    Reply reply = ask(connection, "/v3/kv/range", request, false);
                    Json.objects(reply.body, "kvs").forEach(shown -> listed.add(keys.key(shown)));
                    return new Listed(listed);
                },
                Failed::new);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return connections.ask(
                connection -> {
                    Map<String, Stored> stored = new HashMap<>();
                    Reply reply = ask(connection, "/v3/kv/range", keys.range(prefix), false);
                    Json.objects(reply.body, "kvs")
                            .forEach(shown -> stored.put(keys.key(shown), EtcdKeys.stored(shown)));
                    return new ReadAll(stored, reply.origin);
                },
                Failed::new);
    }

    @Override
    public LeaseStore.Subscription watch(String key, Consumer<Change> watcher) {
        return watch.add(key, watcher);
    }

    @Override
    public void close() {
        watch.close();
        connections.close();
        deadlines.close();
    }
}
