package dev.election.kubernetes.internal;

import dev.election.http.Json;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordSummary;
import dev.election.record.RecordSummary.Holder;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Lease with a text of the elections in its annotations. Its {@code spec} repeats for people what the text says of the holder.
 *
 * @param name its name
 * @param version its resource version
 * @param key the key of the text
 * @param state the text, empty for a key that holds nothing, with a version that says what a write expects: the id of the Lease, which no other one
 *     has, nor one that is made again under that name, and how often it had another holder
 * @param hash the hash that was written with the text
 */
record LeaseObject(String name, long version, String key, Stored state, String hash) {

    private static final String KEY = "election.dev/key";
    private static final String TEXT = "election.dev/text";
    private static final String HASH = "election.dev/hash";
    private static final String PREFIX = "election.dev/prefix";
    private static final String FOLDER = "election.dev/folder";

    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    static LeaseObject of(Map<String, Object> lease) {
        Map<String, Object> metadata = Json.at(lease, "metadata");
        Map<String, Object> annotations = Json.at(metadata, "annotations");
        long transitions = Json.number(Json.at(lease, "spec"), "leaseTransitions");
        return new LeaseObject(
                Json.text(metadata, "name"),
                Json.number(metadata, "resourceVersion"),
                Json.text(annotations, KEY),
                new Stored(Json.text(annotations, TEXT), Json.text(metadata, "uid") + "/" + transitions),
                Json.text(annotations, HASH));
    }

    /** Returns the selector of Leases in those folders, or in all for none. */
    static String selector(String prefix, List<String> folders) {
        String all = PREFIX + "=" + prefix;
        if (folders.isEmpty()) {
            return all;
        }
        String some = String.join(",", folders);
        return all + "," + FOLDER + (folders.size() == 1 ? "=" + some : " in (" + some + ")");
    }

    /** Whether it is the Lease of its key, and not a copy, and as these elections have written it. */
    boolean isOf(LeaseNames names) {
        return isIntact() && names.of(key).equals(name);
    }

    /** Whether it was written by these elections, and by nobody else since. */
    boolean isIntact() {
        return hash.equals(LeaseNames.hash(state.text()));
    }

    /** Returns the same without a text. */
    LeaseObject emptied() {
        return new LeaseObject(name, version, key, new Stored("", state.version()), LeaseNames.hash(""));
    }

    /** Returns the state; {@code null} if the key holds nothing. */
    @Nullable
    Stored stored() {
        return state.text().isEmpty() ? null : state;
    }

    /** Whether this is the Lease of that state, not one that was made again, and still has its text. */
    boolean isStill(Stored before) {
        return uid(state).equals(uid(before)) && state.text().equals(before.text());
    }

    private static String uid(Stored state) {
        return state.version().substring(0, state.version().indexOf('/'));
    }

    private static long transitions(Stored state) {
        return Long.parseLong(state.version().substring(state.version().indexOf('/') + 1));
    }

    /** Returns the body of a request that creates a Lease. */
    static String creation(LeaseNames names, String key, String text) {
        Map<String, Object> labels = Map.of(PREFIX, names.prefix(), FOLDER, LeaseNames.folder(key));
        Map<String, Object> annotations = Map.of(KEY, key, TEXT, text, HASH, LeaseNames.hash(text));
        Map<String, Object> metadata = Map.of("name", names.of(key), "labels", labels, "annotations", annotations);
        Map<String, Object> spec = spec(text, "", 0);
        return Json.write(
                Map.of("apiVersion", "coordination.k8s.io/v1", "kind", "Lease", "metadata", metadata, "spec", spec));
    }

    /** Returns the body of a request that replaces a text. */
    static String replacement(Stored expected, String text) {
        String before = expected.text();
        return Json.write(List.of(
                Map.of("op", "test", "path", "/metadata/uid", "value", uid(expected)),
                Map.of("op", "test", "path", annotation(HASH), "value", LeaseNames.hash(before)),
                Map.of("op", "replace", "path", annotation(TEXT), "value", text),
                Map.of("op", "replace", "path", annotation(HASH), "value", LeaseNames.hash(text)),
                Map.of("op", "add", "path", "/spec", "value", spec(text, before, transitions(expected)))));
    }

    private static String annotation(String name) {
        return "/metadata/annotations/" + name.replace("/", "~1");
    }

    /** Returns the body of a request that deletes exactly this. */
    String deletion() {
        Map<String, Object> exactly = Map.of("uid", uid(state), "resourceVersion", Long.toString(version));
        return Json.write(Map.of("apiVersion", "v1", "kind", "DeleteOptions", "preconditions", exactly));
    }

    private static Map<String, Object> spec(String text, String before, long transitions) {
        RecordSummary summary = RecordSummary.of(text).orElse(null);
        Map<String, Object> spec = new LinkedHashMap<>();
        if (summary == null) {
            // A Lease that was an election's once keeps its number: it never falls.
            if (transitions > 0) {
                spec.put("leaseTransitions", transitions);
            }
            return spec;
        }
        Holder holder = summary.holder();
        boolean isOther = holder != null && holder.token() != token(before);
        if (holder != null) {
            spec.put("holderIdentity", holder.node());
            spec.put("leaseDurationSeconds", Math.max(1, holder.length().toSeconds()));
            spec.put("acquireTime", MICROS.format(holder.since()));
            // Not now: others write the text, too.
            spec.put("renewTime", MICROS.format(holder.until().minus(holder.length())));
        }
        spec.put("leaseTransitions", isOther ? transitions + 1 : transitions);
        return spec;
    }

    /** Returns the token of the holder in a text, 0 if there is none. */
    private static long token(String text) {
        Holder holder = RecordSummary.of(text).map(RecordSummary::holder).orElse(null);
        return holder == null ? 0 : holder.token();
    }
}
