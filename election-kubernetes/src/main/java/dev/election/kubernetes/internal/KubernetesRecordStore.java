package dev.election.kubernetes.internal;

import dev.election.StoreProblem;
import dev.election.http.HttpFailure;
import dev.election.http.ProvenConnection;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.KubernetesSettings;
import dev.election.kubernetes.internal.ApiServer.Found;
import dev.election.kubernetes.internal.ApiServer.Leases;
import dev.election.kubernetes.internal.ApiServer.Patched;
import dev.election.record.ConnectionProof;
import dev.election.record.KeptConnections;
import dev.election.record.RecordStore;
import dev.election.record.WatchedRecordStore;
import dev.election.store.NoAnswer;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Record store in the Leases of a namespace, one for each key. */
public final class KubernetesRecordStore extends WatchedRecordStore<ProvenConnection, String, RecordStore.ReadOutcome> {

    /** So many reads that wait for a connection are answered by one list. */
    private static final int LISTED = 3;

    private final String location;
    private final LeaseNames names;
    private final ApiServer api;
    private final Duration limit;

    /**
     * Creates the store, which connects to nothing yet.
     *
     * @param shortestLease the shortest lease of the elections: a third of it is the time limit for an answer, within bounds
     */
    public KubernetesRecordStore(KubernetesAccess access, KubernetesSettings settings, Duration shortestLease) {
        this(new ApiServer(access, KeptConnections.limit(shortestLease)), access, settings, shortestLease);
    }

    private KubernetesRecordStore(
            ApiServer api, KubernetesAccess access, KubernetesSettings settings, Duration shortestLease) {
        super(
                "Kubernetes",
                settings.separatedBy(),
                shortestLease,
                api.proof(),
                api,
                new LeaseEvents(api, new LeaseNames(settings.prefix())));
        this.location = "Kubernetes (" + access.server() + "), namespace " + access.namespace() + ", Leases "
                + settings.prefix() + "-*";
        this.names = new LeaseNames(settings.prefix());
        this.api = api;
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
            Leases leases = api.list(connection, LeaseObject.selector(names.prefix(), List.of(folder)));
            leases.all().forEach(lease -> found.put(lease.name(), lease));
            keys.forEach(key -> outcomes.put(key, outcome(() -> {
                LeaseObject lease = found.get(names.of(key));
                return new Read(lease == null ? null : own(key, lease).stored(), leases.origin());
            })));
        } catch (IOException failure) {
            keys.forEach(key -> outcomes.put(key, new Failed(ApiFailure.answer(failure))));
        }
        return outcomes;
    }

    private static ReadOutcome outcome(Callable<ReadOutcome> answer) {
        try {
            return answer.call();
        } catch (Throwable failure) {
            return new Failed(ApiFailure.answer(failure));
        }
    }

    private Read readOne(ProvenConnection connection, String key) throws IOException {
        Found found = find(connection, key);
        return new Read(found.stored(), found.origin());
    }

    private Found find(ProvenConnection connection, String key) throws IOException {
        Found found = api.get(connection, names.of(key));
        LeaseObject lease = found.lease();
        return lease == null ? found : new Found(own(key, lease), found.origin());
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
        LeaseObject lease = there.lease();
        if (lease != null) {
            ReplaceOutcome outcome =
                    lease.stored() == null ? patch(connection, key, lease.state(), text) : conflict(there);
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
        ConnectionProof.Sent sent = api.proof().sending(names.of(key));
        LeaseObject made = api.create(connection, LeaseObject.creation(names, key, text));
        if (made == null) {
            return null;
        }
        Origin origin = api.proof().written(connection.link(), sent, made.version());
        noticed(key, made.version());
        return new Written(made.stored(), origin);
    }

    private ReplaceOutcome patch(ProvenConnection connection, String key, Stored expected, String text)
            throws IOException {
        String name = names.of(key);
        ConnectionProof proof = api.proof();
        ConnectionProof.Sent sent = proof.sending(name);
        Patched patched = api.patch(connection, name, LeaseObject.replacement(expected, text));
        LeaseObject done = patched.lease();
        if (done != null) {
            long version = done.version();
            Origin origin = text.equals(expected.text())
                    ? proof.read(connection.link(), sent, version)
                    : proof.written(connection.link(), sent, version);
            noticed(key, version);
            if (text.isEmpty()) {
                remove(done);
            }
            return new Written(done.stored(), origin);
        }
        Found there = find(connection, key);
        LeaseObject lease = there.lease();
        HttpFailure refusal = patched.refusal();
        if (lease != null && lease.isStill(expected) && refusal != null) {
            // No test can have failed: the API server refuses the new text.
            throw refusal;
        }
        return conflict(there);
    }

    private static Conflict conflict(Found there) {
        return new Conflict(there.stored(), there.origin());
    }

    /** Deletes a Lease whose text is empty. It reads as nothing, so it makes no difference whether that succeeds. */
    private void remove(LeaseObject emptied) {
        CompletionStage<Boolean> unused = ask(
                connection -> {
                    api.delete(connection, emptied);
                    return true;
                },
                failed -> false);
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        // A list of Leases has their texts anyway.
        return readAll(prefix)
                .thenApply(outcome -> outcome instanceof ReadAll all
                        ? new Listed(List.copyOf(all.stored().keySet()))
                        : (Failed) outcome);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        List<String> folders = prefix.contains("/") ? List.of(LeaseNames.folder(prefix)) : List.of();
        return ask(
                connection -> {
                    Leases leases = api.list(connection, LeaseObject.selector(names.prefix(), folders));
                    List<LeaseObject> own = leases.all().stream()
                            .filter(lease -> lease.isOf(names) && lease.key().startsWith(prefix))
                            .toList();
                    // One that a process had no time to delete.
                    own.stream()
                            .filter(lease -> lease.stored() == null)
                            .findFirst()
                            .ifPresent(this::remove);
                    Map<String, Stored> stored = own.stream()
                            .filter(lease -> lease.stored() != null)
                            .collect(Collectors.toMap(LeaseObject::key, LeaseObject::state));
                    return new ReadAll(stored, leases.origin());
                },
                Failed::new);
    }

    @Override
    public void close() {
        super.close();
        api.close();
    }
}
