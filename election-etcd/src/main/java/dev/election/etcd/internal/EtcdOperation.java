package dev.election.etcd.internal;

import dev.election.http.Json;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Stored;
import dev.election.store.NoAnswer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key to read, or to write under a condition. Several are one request, as parts of a transaction: the condition of one decides that one only.
 *
 * @param json how the request says it
 * @param text what is written, {@code null} if nothing is
 * @param size about that of the request
 */
record EtcdOperation(String key, Map<String, Object> json, @Nullable String text, int size) {

    /** Etcd takes 128 operations in one request, conditions included, unless it is configured otherwise. */
    private static final int MOST = 100;

    /** Etcd takes requests of 1.5 MB. A ledger may have 200 kB. */
    private static final int LARGEST = 300_000;

    static final String TRANSACTION = "request_txn";

    /** The answer to one operation. */
    sealed interface Answer {}

    /**
     * The operation was carried out.
     *
     * @param isWritten whether the key was written
     * @param stored what the key holds now
     * @param version the latest version of the key that is known
     */
    record Given(boolean isWritten, @Nullable Stored stored, String version, Origin origin) implements Answer {}

    /** Nothing is known. */
    record Missing(NoAnswer why) implements Answer {}

    /** Whether it can be carried out in one request with those. Etcd refuses a request that writes a key twice. */
    boolean fits(List<EtcdOperation> others) {
        int all = others.stream().mapToInt(EtcdOperation::size).sum();
        return others.size() < MOST
                && all + size <= LARGEST
                && others.stream().noneMatch(other -> other.key.equals(key));
    }

    boolean isWrite() {
        return json.containsKey(TRANSACTION);
    }

    /** Whether a response says that a key was written. */
    static boolean isWritten(Map<String, Object> response) {
        return Json.at(response, "response_txn").get("succeeded") == Boolean.TRUE;
    }

    /**
     * Returns the answer in the response to it.
     *
     * @param revision of what the request has written
     */
    Given answer(Map<String, Object> response, String revision, Origin origin) {
        if (isWritten(response)) {
            return new Given(true, text == null ? null : new Stored(text, revision), revision, origin);
        }
        Map<String, Object> read = Json.objects(Json.at(response, "response_txn"), "responses").stream()
                .findFirst()
                .orElse(response);
        return Json.objects(Json.at(read, "response_range"), "kvs").stream()
                .findFirst()
                .map(EtcdKeys::stored)
                .map(found -> new Given(false, found, found.version(), origin))
                .orElseGet(() -> new Given(false, null, "0", origin));
    }
}
