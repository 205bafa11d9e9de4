package dev.election.kubernetes.internal;

import dev.election.StoreProblem;
import dev.election.http.HttpFailure;
import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.record.ConnectionProof;
import dev.election.record.Continuity;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordWatch;
import dev.election.store.NoAnswer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The events of Leases. The parts that are listened to are folders. */
record LeaseEvents(ApiServer api, ConnectionProof proof, LeaseNames names) implements RecordWatch.Source {

    @Override
    public NoAnswer answer(Throwable failure) {
        return ApiFailure.answer(failure);
    }

    @Override
    public String part(String key) {
        return LeaseNames.folder(key);
    }

    @Override
    public RecordWatch.Feed open() throws IOException {
        ProvenConnection connection = new ProvenConnection(api::connect, proof);
        return new RecordWatch.Feed() {
            @Override
            public void listen(Set<String> parts, RecordWatch.Listener listener) throws IOException {
                LeaseEvents.this.listen(connection, parts, listener);
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }

    private void listen(ProvenConnection connection, Set<String> folders, RecordWatch.Listener listener)
            throws IOException {
        String selector = LeaseObject.selector(names.prefix(), List.copyOf(folders));
        ConnectionProof.Sent sent = proof.sending("");
        ApiServer.Leases leases = api.list(connection.http(), selector);
        Continuity shown = proof.listed(connection.link(), sent, leases.version());
        listener.listed();
        leases.all().forEach(lease -> show(lease, shown, listener));
        api.watch(
                connection.http(),
                selector,
                leases.version(),
                listener::begun,
                event -> take(event, proof.told(connection.link()), listener));
    }

    private void take(Map<String, Object> event, Continuity shown, RecordWatch.Listener listener) {
        String type = Json.text(event, "type");
        Map<String, Object> object = Json.at(event, "object");
        if (type.equals("ERROR")) {
            // Mostly 410: the list that comes next is newer.
            throw new UncheckedIOException(new HttpFailure(
                    new NoAnswer(StoreProblem.UNKNOWN, HttpFailure.shown(Json.text(object, "message")))));
        }
        if (!type.equals("BOOKMARK")) {
            LeaseObject lease = LeaseObject.of(object);
            show(type.equals("DELETED") ? lease.emptied() : lease, shown, listener);
        }
    }

    private void show(LeaseObject lease, Continuity shown, RecordWatch.Listener listener) {
        if (lease.isOf(names)) {
            listener.shown(lease.key(), lease.version(), new Read(lease.stored(), new Origin(null, shown)));
        }
    }
}
