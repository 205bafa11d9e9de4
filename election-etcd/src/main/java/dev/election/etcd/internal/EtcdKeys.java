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

    /** Returns the condition and the failure branch of a write that expects a text, or none. */
    Map<String, Object> write(String key, @Nullable Stored expected, Map<String, Object> operation) {
        String name = encoded(key);
        List<Map<String, Object>> conditions = expected == null
                ? List.of(Map.of("target", "CREATE", "key", name, "create_revision", "0"))
                : List.of(
                        Map.of("target", "MOD", "key", name, "mod_revision", expected.version()),
                        // Revisions are given out again after a restore.
                        Map.of("target", "VALUE", "key", name, "value", base64(expected.text())));
        return Map.of("compare", conditions, "success", List.of(operation), "failure", List.of(read(key)));
    }

    /** Returns the operation that reads a key. */
    Map<String, Object> read(String key) {
        return Map.of("request_range", Map.of("key", encoded(key)));
    }

    /** Returns the operation that writes a text. */
    Map<String, Object> put(String key, String text) {
        return Map.of("request_put", Map.of("key", encoded(key), "value", base64(text)));
    }

    /** Returns the operation that deletes a key. */
    Map<String, Object> delete(String key) {
        return Map.of("request_delete_range", Map.of("key", encoded(key)));
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
