package dev.election.etcd.internal;

import dev.election.etcd.EtcdAccess;
import dev.election.etcd.EtcdSettings;
import dev.election.http.HttpDeadlines;
import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.record.ConnectionProof;
import dev.election.record.GatheredRequests;
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
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Record store in etcd, with a key for each text. */
public final class EtcdRecordStore implements RecordStore, AutoCloseable {

    private static final int CONNECTIONS = 2;

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
    private final GatheredRequests<ProvenConnection, EtcdOperation, EtcdOperation.Answer> operations;
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
        this.operations = new GatheredRequests<>(connections, new Transactions(), EtcdOperation.Missing::new);
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
        operations.together(calls);
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        return ask(keys.reading(key), given -> new Read(given.stored(), given.origin()), Failed::new);
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return write(keys.writing(key, expected, text));
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        return write(keys.deleting(key, expected));
    }

    private CompletionStage<ReplaceOutcome> write(EtcdOperation operation) {
        return ask(
                operation,
                given -> given.isWritten()
                        ? new Written(given.stored(), given.origin())
                        : new Conflict(given.stored(), given.origin()),
                Failed::new);
    }

    private <T> CompletionStage<T> ask(
            EtcdOperation operation, Function<EtcdOperation.Given, T> given, Function<NoAnswer, T> failed) {
        return operations
                .ask(operation)
                .thenApply(answer -> answer instanceof EtcdOperation.Given known
                        ? given.apply(known)
                        : failed.apply(((EtcdOperation.Missing) answer).why()));
    }

    /** Carries out operations in one request. */
    private final class Transactions
            implements GatheredRequests.Carrier<ProvenConnection, EtcdOperation, EtcdOperation.Answer> {

        @Override
        public boolean fits(List<EtcdOperation> some, EtcdOperation next) {
            return next.fits(some);
        }

        @Override
        public List<EtcdOperation.Answer> carry(ProvenConnection connection, List<EtcdOperation> some)
                throws IOException {
            ConnectionProof.Sent sent = history.sending();
            Map<String, Object> body = gateway.ask(connection.http(), "/v3/kv/txn", keys.transaction(some));
            List<Map<String, Object>> responses = Json.objects(body, "responses");
            boolean isWritten = responses.stream().anyMatch(EtcdOperation::isWritten);
            Map<String, Object> header = Json.at(body, "header");
            Origin origin = history.origin(connection, sent, header, isWritten);
            List<EtcdOperation.Answer> answers = new ArrayList<>();
            for (int i = 0; i < some.size(); i++) {
                EtcdOperation operation = some.get(i);
                EtcdOperation.Given given = operation.answer(responses.get(i), Json.text(header, "revision"), origin);
                watch.noticed(operation.key(), Long.parseLong(given.version()));
                answers.add(given);
            }
            return answers;
        }
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        Map<String, Object> request = new HashMap<>(keys.range(prefix));
        request.put("keys_only", true);
        return connections.ask(
                connection -> {
                    List<String> listed = new ArrayList<>();
                    Map<String, Object> body = gateway.ask(connection.http(), "/v3/kv/range", request);
                    Json.objects(body, "kvs").forEach(shown -> listed.add(keys.key(shown)));
                    return new Listed(listed);
                },
                Failed::new);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return connections.ask(
                connection -> {
                    Map<String, Stored> stored = new HashMap<>();
                    ConnectionProof.Sent sent = history.sending();
                    Map<String, Object> body = gateway.ask(connection.http(), "/v3/kv/range", keys.range(prefix));
                    Json.objects(body, "kvs").forEach(shown -> stored.put(keys.key(shown), EtcdKeys.stored(shown)));
                    return new ReadAll(stored, history.origin(connection, sent, Json.at(body, "header"), false));
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
