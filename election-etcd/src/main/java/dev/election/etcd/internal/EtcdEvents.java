package dev.election.etcd.internal;

import dev.election.http.HttpConnection;
import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.record.ConnectionProof;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordWatch;
import dev.election.store.NoAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The events of all keys. They are listened to from the revision of a list on, and never from that of an event: a restore may have ended it. */
record EtcdEvents(EtcdGateway gateway, EtcdHistory history, EtcdKeys keys) implements RecordWatch.Source {

    @Override
    public NoAnswer answer(Throwable failure) {
        return EtcdFailure.answer(failure);
    }

    @Override
    public RecordWatch.Feed open() throws IOException {
        ProvenConnection connection = history.connection(gateway);
        return new RecordWatch.Feed() {
            @Override
            public void listen(Set<String> parts, RecordWatch.Listener listener) throws IOException {
                EtcdEvents.this.listen(connection, listener);
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }

    private void listen(ProvenConnection connection, RecordWatch.Listener listener) throws IOException {
        Map<String, Object> range = keys.range("");
        ConnectionProof.Sent sent = history.sending();
        Map<String, Object> list = gateway.ask(connection.http(), "/v3/kv/range", range);
        Map<String, Object> header = Json.at(list, "header");
        Origin origin = history.origin(connection, sent, header, false);
        listener.listed();
        Json.objects(list, "kvs").forEach(shown -> put(shown, origin, listener));
        Map<String, Object> create = new HashMap<>(range);
        create.put("start_revision", Long.toString(Json.number(header, "revision") + 1));
        HttpConnection http = connection.http();
        gateway.watch(
                http, Map.of("create_request", create), part -> take(part, http, history.told(connection), listener));
    }

    private void take(Map<String, Object> part, HttpConnection http, Origin origin, RecordWatch.Listener listener) {
        Map<String, Object> result = Json.at(part, "result");
        if (part.containsKey("error") || result.get("canceled") == Boolean.TRUE) {
            // Mostly a revision that was compacted, or a member without a leader: the list that comes next is newer.
            throw new UncheckedIOException(gateway.failure(http, 200, Json.write(part), "/v3/watch"));
        }
        if (result.get("created") == Boolean.TRUE) {
            listener.begun();
        }
        for (Map<String, Object> event : Json.objects(result, "events")) {
            Map<String, Object> shown = Json.at(event, "kv");
            if (Json.text(event, "type").equals("DELETE")) {
                listener.shown(keys.key(shown), Json.number(shown, "mod_revision"), new Read(null, origin));
            } else {
                put(shown, origin, listener);
            }
        }
    }

    private void put(Map<String, Object> shown, Origin origin, RecordWatch.Listener listener) {
        listener.shown(keys.key(shown), Json.number(shown, "mod_revision"), new Read(EtcdKeys.stored(shown), origin));
    }
}
