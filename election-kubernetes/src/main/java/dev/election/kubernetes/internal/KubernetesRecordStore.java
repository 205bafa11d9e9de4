package dev.election.kubernetes.internal;

import dev.election.StoreProblem;
import dev.election.http.HttpFailure;
import dev.election.http.ProvenConnection;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.KubernetesSettings;
import dev.election.kubernetes.internal.ApiServer.Leases;
import dev.election.kubernetes.internal.ApiServer.Patched;
import dev.election.record.ConnectionProof;
import dev.election.record.Continuity;
import dev.election.record.KeptConnections;
import dev.election.record.RecordStore;
import dev.election.record.WatchedRecordStore;
import dev.election.store.NoAnswer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Record store in the Leases of a namespace, one for each key. */
public final class KubernetesRecordStore extends WatchedRecordStore<ProvenConnection, String, RecordStore.ReadOutcome> {

    /** So many reads that wait for a connection are answered by one list. */
    private static final int LISTED = 3;

    private final String location;
    private final LeaseNames names;
    private final ApiServer api;
    private final ConnectionProof proof;
    private final Duration limit;

    /**
     * Creates the store, which connects to nothing yet.
     *
     * @param shortestLease the shortest lease of the elections: a third of it is the time limit for an answer, within bounds
     */
    public KubernetesRecordStore(KubernetesAccess access, KubernetesSettings settings, Duration shortestLease) {
        this(
                new ApiServer(access, KeptConnections.limit(shortestLease)),
                "Kubernetes (" + access.server() + "), namespace " + access.namespace() + ", Leases "
                        + settings.prefix() + "-*",
                new LeaseNames(settings.prefix()),
                settings.separatedBy(),
                shortestLease);
    }

    private KubernetesRecordStore(
            ApiServer api, String location, LeaseNames names, String separatedBy, Duration shortestLease) {
        super("Kubernetes", separatedBy, shortestLease, api.proof(), api, new LeaseEvents(api, names));
        this.location = location;
        this.names = names;
        this.api = api;
        this.proof = api.proof();
        this.limit = KeptConnections.limit(shortestLease);
    }

    /** Returns the label of a pod that leads, with a connection of its own: no lease waits for pods, and no removal overtakes a label. */
    public PodLabel label(String pod) {
        return new PodLabel(new KeptConnections<>("election-kubernetes-pod", 1, limit, api), api, pod);
    }

    @Override
    public String location() {
        return location;
    }

    /** An API server compares a patch with the object that it remembers, also where its etcd was restored below it. */
    @Override
    public boolean comparesStoredText() {
        return false;
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        return gather(key);
    }

    @Override
    protected ReadOutcome failed(NoAnswer why) {
        return new Failed(why);
    }

    @Override
    protected List<ReadOutcome> carry(ProvenConnection connection, List<String> keys) {
        Map<String, ReadOutcome> outcomes = new HashMap<>();
        keys.stream()
                .distinct()
                .collect(Collectors.groupingBy(LeaseNames::folder))
                .forEach((folder, some) -> {
                    if (some.size() < LISTED) {
                        some.forEach(key -> outcomes.put(key, outcome(() -> readOne(connection, key))));
                    } else {
                        outcomes.putAll(readTogether(connection, folder, some));
                    }
                });
        return keys.stream().map(outcomes::get).toList();
    }

    private Map<String, ReadOutcome> readTogether(ProvenConnection connection, String folder, List<String> keys) {
        Map<String, LeaseObject> found = new HashMap<>();
        Map<String, ReadOutcome> outcomes = new HashMap<>();
        try {
            Origin origin = list(connection, List.of(folder), lease -> found.put(lease.name(), lease));
            keys.forEach(key -> outcomes.put(key, outcome(() -> {
                LeaseObject lease = found.get(names.of(key));
                return new Read(lease == null ? null : own(key, lease).stored(), origin);
            })));
        } catch (IOException failure) {
            keys.forEach(key -> outcomes.put(key, new Failed(ApiFailure.answer(failure))));
        }
        return outcomes;
    }

    private interface Answer {

        ReadOutcome get() throws IOException;
    }

    private static ReadOutcome outcome(Answer answer) {
        try {
            return answer.get();
        } catch (Throwable failure) {
            return new Failed(ApiFailure.answer(failure));
        }
    }

    private Read readOne(ProvenConnection connection, String key) throws IOException {
        Found found = find(connection, key);
        return new Read(found.lease == null ? null : found.lease.stored(), found.origin);
    }

    private record Found(@Nullable LeaseObject lease, Origin origin) {}

    private Found find(ProvenConnection connection, String key) throws IOException {
        String name = names.of(key);
        ConnectionProof.Sent sent = proof.sending(name);
        LeaseObject lease = api.get(connection.http(), name);
        if (lease == null) {
            // For a version.
            sent = proof.sending("");
            return new Found(null, listed(connection, sent, api.listOne(connection.http(), name)));
        }
        Origin origin = origin(proof.read(connection.link(), sent, lease.version()));
        return new Found(own(key, lease), origin);
    }

    /** Returns the Lease if its text is that of these elections. */
    private LeaseObject own(String key, LeaseObject lease) throws HttpFailure {
        if (!lease.key().equals(key) || !lease.isIntact()) {
            throw new HttpFailure(
                    new NoAnswer(
                            StoreProblem.WRONG_TYPE,
                            "the Lease " + lease.name() + " is not as these elections have written it",
                            "the Lease " + lease.name()
                                    + " was made or edited by somebody else: delete it, or let the elections use another prefix"));
        }
        noticed(key, lease.version());
        return lease;
    }

    private static Origin origin(Continuity shown) {
        return new Origin(null, shown);
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return ask(
                connection -> expected == null ? create(connection, key, text) : patch(connection, key, expected, text),
                Failed::new);
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        // An empty text reads as nothing. A DELETE alone could not compare the text.
        return ask(connection -> patch(connection, key, expected, ""), Failed::new);
    }

    private ReplaceOutcome create(ProvenConnection connection, String key, String text) throws IOException {
        Written made = made(connection, key, text);
        if (made != null) {
            return made;
        }
        Found there = find(connection, key);
        if (there.lease != null) {
            ReplaceOutcome outcome = there.lease.stored() == null
                    ? patch(connection, key, there.lease.uid(), "", there.lease.transitions(), text)
                    : conflict(there);
            if (!(outcome instanceof Conflict conflict) || conflict.current() != null) {
                return outcome;
            }
        }
        // A Lease with an empty text was in the way, and has been deleted since, maybe just before the patch.
        Written second = made(connection, key, text);
        return second == null ? conflict(find(connection, key)) : second;
    }

    /** Creates a Lease; {@code null} if there is one. */
    private @Nullable Written made(ProvenConnection connection, String key, String text) throws IOException {
        ConnectionProof.Sent sent = proof.sending(names.of(key));
        LeaseObject made = api.create(connection.http(), LeaseObject.creation(names, key, text, Instant.now()));
        if (made == null) {
            return null;
        }
        Origin origin = origin(proof.written(connection.link(), sent, made.version()));
        noticed(key, made.version());
        return new Written(made.stored(), origin);
    }

    private ReplaceOutcome patch(ProvenConnection connection, String key, Stored expected, String text)
            throws IOException {
        return patch(
                connection, key, LeaseObject.uid(expected), expected.text(), LeaseObject.transitions(expected), text);
    }

    private ReplaceOutcome patch(
            ProvenConnection connection, String key, String uid, String before, long transitions, String text)
            throws IOException {
        String name = names.of(key);
        String body = LeaseObject.replacement(uid, before, transitions, text, Instant.now());
        ConnectionProof.Sent sent = proof.sending(name);
        Patched patched = api.patch(connection.http(), name, body);
        LeaseObject done = patched.lease();
        if (done != null) {
            long version = done.version();
            Origin origin = origin(
                    text.equals(before)
                            ? proof.read(connection.link(), sent, version)
                            : proof.written(connection.link(), sent, version));
            noticed(key, version);
            if (text.isEmpty()) {
                remove(done);
            }
            return new Written(done.stored(), origin);
        }
        Found there = find(connection, key);
        boolean isExpected = there.lease != null
                && there.lease.uid().equals(uid)
                && there.lease.text().equals(before);
        HttpFailure refusal = patched.refusal();
        if (isExpected && refusal != null) {
            // No test can have failed: the API server refuses the new text.
            throw refusal;
        }
        return conflict(there);
    }

    private static Conflict conflict(Found there) {
        return new Conflict(there.lease == null ? null : there.lease.stored(), there.origin);
    }

    /** Deletes a Lease whose text is empty. It reads as nothing, so it makes no difference whether that succeeds. */
    private void remove(LeaseObject emptied) {
        CompletionStage<Boolean> unused = ask(
                connection -> {
                    api.delete(connection.http(), emptied);
                    return true;
                },
                failed -> false);
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        return ask(
                connection -> {
                    List<String> keys = new ArrayList<>();
                    list(connection, prefix, lease -> keys.add(lease.key()));
                    return new Listed(keys);
                },
                Failed::new);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return ask(
                connection -> {
                    Map<String, Stored> stored = new HashMap<>();
                    Origin origin = list(connection, prefix, lease -> {
                        Stored present = lease.stored();
                        if (present != null) {
                            stored.put(lease.key(), present);
                        }
                    });
                    return new ReadAll(stored, origin);
                },
                Failed::new);
    }

    private Origin list(ProvenConnection connection, String prefix, Consumer<LeaseObject> each) throws IOException {
        List<String> folders = prefix.contains("/") ? List.of(LeaseNames.folder(prefix)) : List.of();
        List<LeaseObject> emptied = new ArrayList<>();
        Origin origin = list(connection, folders, lease -> {
            if (lease.isOf(names) && lease.key().startsWith(prefix)) {
                if (lease.text().isEmpty()) {
                    emptied.add(lease);
                } else {
                    each.accept(lease);
                }
            }
        });
        // One that a process had no time to delete.
        emptied.stream().limit(1).forEach(this::remove);
        return origin;
    }

    private Origin list(ProvenConnection connection, List<String> folders, Consumer<LeaseObject> each)
            throws IOException {
        ConnectionProof.Sent sent = proof.sending("");
        Leases leases = api.list(connection.http(), LeaseObject.selector(names.prefix(), folders));
        leases.all().forEach(each);
        return listed(connection, sent, leases);
    }

    private Origin listed(ProvenConnection connection, ConnectionProof.Sent sent, Leases leases) {
        return origin(proof.listed(connection.link(), sent, leases.version()));
    }

    @Override
    public void close() {
        super.close();
        api.close();
    }
}
