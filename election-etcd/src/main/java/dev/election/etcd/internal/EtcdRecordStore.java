package dev.election.etcd.internal;

import dev.election.etcd.EtcdAccess;
import dev.election.etcd.EtcdSettings;
import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.record.ConnectionProof;
import dev.election.record.KeptConnections;
import dev.election.record.WatchedRecordStore;
import dev.election.store.NoAnswer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Record store in etcd, with a key for each text. */
public final class EtcdRecordStore extends WatchedRecordStore<ProvenConnection, EtcdOperation, EtcdOperation.Answer> {

    private final String location;
    private final EtcdKeys keys;
    private final EtcdGateway gateway;

    /**
     * Creates the store, which connects to nothing yet.
     *
     * @param shortestLease the shortest lease of the elections: a third of it is the time limit for an answer, within bounds
     */
    public EtcdRecordStore(EtcdAccess access, EtcdSettings settings, Duration shortestLease) {
        this(
                "etcd (" + access.endpoints().stream().map(URI::toString).collect(Collectors.joining(", ")) + "), keys "
                        + settings.prefix() + "/*",
                new EtcdGateway(access, new EtcdKeys(settings.prefix()), KeptConnections.limit(shortestLease)),
                new EtcdKeys(settings.prefix()),
                settings.separatedBy(),
                shortestLease);
    }

    private EtcdRecordStore(
            String location, EtcdGateway gateway, EtcdKeys keys, String separatedBy, Duration shortestLease) {
        super("etcd", separatedBy, shortestLease, gateway.history().proof(), gateway, new EtcdEvents(gateway, keys));
        this.location = location;
        this.gateway = gateway;
        this.keys = keys;
    }

    @Override
    public String location() {
        return location;
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
        return gather(operation)
                .thenApply(answer -> answer instanceof EtcdOperation.Given known
                        ? given.apply(known)
                        : failed.apply(((EtcdOperation.Missing) answer).why()));
    }

    @Override
    protected EtcdOperation.Answer failed(NoAnswer why) {
        return new EtcdOperation.Missing(why);
    }

    @Override
    protected boolean fits(List<EtcdOperation> some, EtcdOperation next) {
        return next.fits(some);
    }

    @Override
    protected List<EtcdOperation.Answer> carry(ProvenConnection connection, List<EtcdOperation> some)
            throws IOException {
        ConnectionProof.Sent sent = gateway.history().sending();
        Map<String, Object> body = gateway.ask(connection.http(), "/v3/kv/txn", keys.transaction(some));
        List<Map<String, Object>> responses = Json.objects(body, "responses");
        boolean isWritten = responses.stream().anyMatch(EtcdOperation::isWritten);
        Map<String, Object> header = Json.at(body, "header");
        Origin origin = gateway.history().origin(connection, sent, header, isWritten);
        List<EtcdOperation.Answer> answers = new ArrayList<>();
        for (int i = 0; i < some.size(); i++) {
            EtcdOperation operation = some.get(i);
            EtcdOperation.Given given = operation.answer(responses.get(i), Json.text(header, "revision"), origin);
            noticed(operation.key(), Long.parseLong(given.version()));
            answers.add(given);
        }
        return answers;
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        Map<String, Object> request = new HashMap<>(keys.range(prefix));
        request.put("keys_only", true);
        return ask(
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
        return ask(
                connection -> {
                    Map<String, Stored> stored = new HashMap<>();
                    ConnectionProof.Sent sent = gateway.history().sending();
                    Map<String, Object> body = gateway.ask(connection.http(), "/v3/kv/range", keys.range(prefix));
                    Json.objects(body, "kvs").forEach(shown -> stored.put(keys.key(shown), EtcdKeys.stored(shown)));
                    Map<String, Object> header = Json.at(body, "header");
                    return new ReadAll(stored, gateway.history().origin(connection, sent, header, false));
                },
                Failed::new);
    }

    @Override
    public void close() {
        super.close();
        gateway.close();
    }
}
