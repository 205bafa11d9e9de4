package dev.election.etcd.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.election.http.Json;
import dev.election.record.RecordStore.Stored;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of the elections, and the parts of requests about them: etcd takes bytes in Base64. */
record EtcdKeys(String prefix) {

    /** Returns the operation that reads a key. */
    EtcdOperation reading(String key) {
        return new EtcdOperation(key, get(key), null, 0);
    }

    /** Returns the operation that writes a text if the key holds the expected one, or none. */
    EtcdOperation writing(String key, @Nullable Stored expected, String text) {
        return new EtcdOperation(key, guarded(key, expected, put(key, text)), text, text.length() + size(expected));
    }

    /** Returns the operation that deletes a key if it holds the expected text. */
    EtcdOperation deleting(String key, Stored expected) {
        Map<String, Object> delete = Map.of("request_delete_range", Map.of("key", encoded(key)));
        return new EtcdOperation(key, guarded(key, expected, delete), null, size(expected));
    }

    /** Returns the request of operations that are carried out each for itself. */
    Map<String, Object> transaction(List<EtcdOperation> operations) {
        // Etcd 3.4 looks for rights and for room in the database at this level only. Without conditions, this branch is
        // never taken.
        List<Map<String, Object>> never = operations.stream()
                .filter(EtcdOperation::isWrite)
                .limit(1)
                .map(write -> put(write.key(), ""))
                .toList();
        return Map.of("success", operations.stream().map(EtcdOperation::json).toList(), "failure", never);
    }

    private static int size(@Nullable Stored expected) {
        return expected == null ? 0 : expected.text().length();
    }

    private Map<String, Object> guarded(String key, @Nullable Stored expected, Map<String, Object> operation) {
        String name = encoded(key);
        List<Map<String, Object>> conditions = expected == null
                ? List.of(Map.of("target", "CREATE", "key", name, "create_revision", "0"))
                : List.of(
                        Map.of("target", "MOD", "key", name, "mod_revision", expected.version()),
                        // Revisions are given out again after a restore.
                        Map.of("target", "VALUE", "key", name, "value", base64(expected.text())));
        return Map.of(
                EtcdOperation.TRANSACTION,
                Map.of("compare", conditions, "success", List.of(operation), "failure", List.of(get(key))));
    }

    private Map<String, Object> put(String key, String text) {
        return Map.of("request_put", Map.of("key", encoded(key), "value", base64(text)));
    }

    private Map<String, Object> get(String key) {
        return Map.of("request_range", Map.of("key", encoded(key)));
    }

    /** Returns the range of all keys with a beginning. */
    Map<String, Object> range(String beginning) {
        byte[] end = name(beginning).getBytes(UTF_8);
        // No byte of UTF-8 is the highest one.
        end[end.length - 1]++;
        return Map.of(
                "key", encoded(beginning), "range_end", Base64.getEncoder().encodeToString(end));
    }

    /** Returns the key of what etcd shows, without the prefix. */
    String key(Map<String, Object> shown) {
        return decoded(shown, "key").substring(prefix.length() + 1);
    }

    /** Returns the text of what etcd shows, with its version. */
    static Stored stored(Map<String, Object> shown) {
        return new Stored(decoded(shown, "value"), Json.text(shown, "mod_revision"));
    }

    private String name(String key) {
        return prefix + "/" + key;
    }

    private String encoded(String key) {
        return base64(name(key));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String decoded(Map<String, Object> shown, String name) {
        return new String(Base64.getDecoder().decode(Json.text(shown, name)), UTF_8);
    }
}
