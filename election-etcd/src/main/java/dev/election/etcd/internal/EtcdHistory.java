package dev.election.etcd.internal;

import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.record.ConnectionProof;
import dev.election.record.RecordStore.Origin;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The proof that etcd has lost nothing: the revision in the header of each reply does not fall, and the cluster is the same one. After a restore
 * the cluster may have the same id, and give the same revisions out again; but all connections have ended.
 */
final class EtcdHistory {

    private final ConnectionProof proof = new ConnectionProof();
    private final AtomicReference<String> cluster = new AtomicReference<>("");

    ConnectionProof proof() {
        return proof;
    }

    ConnectionProof.Sent sending() {
        return proof.sending("");
    }

    /** Returns the proof in a reply. */
    Origin origin(
            ProvenConnection connection, ConnectionProof.Sent sent, Map<String, Object> header, boolean isWritten) {
        String present = Json.text(header, "cluster_id");
        String before = cluster.getAndSet(present);
        if (!before.isEmpty() && !before.equals(present)) {
            proof.replaced();
        }
        long revision = Json.number(header, "revision");
        return isWritten
                ? proof.written(connection.link(), sent, revision)
                : proof.listed(connection.link(), sent, revision);
    }

    /** Returns the proof in what a connection says without being asked. */
    Origin told(ProvenConnection connection) {
        return proof.told(connection.link());
    }
}
