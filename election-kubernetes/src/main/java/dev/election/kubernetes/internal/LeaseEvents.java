package dev.election.kubernetes.internal;

import dev.election.StoreProblem;
import dev.election.http.HttpFailure;
import dev.election.http.Json;
import dev.election.http.ProvenConnection;
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
record LeaseEvents(ApiServer api, LeaseNames names) implements RecordWatch.Source<ProvenConnection> {

    @Override
    public String what() {
        return "the Leases of the elections";
    }

    @Override
    public String part(String key) {
        return LeaseNames.folder(key);
    }

    @Override
    public void listen(ProvenConnection connection, Set<String> folders, RecordWatch.Listener listener)
            throws IOException {
        String selector = LeaseObject.selector(names.prefix(), List.copyOf(folders));
        ApiServer.Leases leases = api.list(connection, selector);
        listener.listed();
        leases.all().forEach(lease -> show(lease, leases.origin(), listener));
        api.watch(
                connection,
                selector,
                leases.version(),
                listener::begun,
                event -> take(event, api.proof().told(connection.link()), listener));
    }

    private void take(Map<String, Object> event, Origin origin, RecordWatch.Listener listener) {
        String type = Json.text(event, "type");
        Map<String, Object> object = Json.at(event, "object");
        if (type.equals("ERROR")) {
            // Mostly 410: the list that comes next is newer.
            throw new UncheckedIOException(new HttpFailure(
                    new NoAnswer(StoreProblem.UNKNOWN, HttpFailure.shown(Json.text(object, "message")))));
        }
        if (!type.equals("BOOKMARK")) {
            LeaseObject lease = LeaseObject.of(object);
            show(type.equals("DELETED") ? lease.emptied() : lease, origin, listener);
        }
    }

    private void show(LeaseObject lease, Origin origin, RecordWatch.Listener listener) {
        if (lease.isOf(names)) {
            listener.shown(lease.key(), lease.version(), new Read(lease.stored(), origin));
        }
    }
}
