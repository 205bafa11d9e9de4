package dev.election.kubernetes.internal;

import dev.election.StoreProblem;
import dev.election.http.HttpDeadlines;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.KubernetesSettings;
import dev.election.kubernetes.internal.ApiServer.Leases;
import dev.election.kubernetes.internal.ApiServer.Patched;
import dev.election.record.Continuity;
import dev.election.record.KeptConnections;
import dev.election.record.RecordStore;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.StoreTraits;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Record store in the Leases of a namespace, one for each key. */
public final class KubernetesRecordStore implements RecordStore, AutoCloseable {

    private static final int CONNECTIONS = 2;

    /** So many reads that wait for a connection are answered by one list. */
    private static final int LISTED = 3;

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** How long a leader needs to hear that its Lease was made anew, and to renew. */
    private static final Duration COMEBACK = Duration.ofSeconds(2);

    private final StoreTraits traits;
    private final String location;
    private final LeaseNames names;
    private final ApiServer api;
    private final HttpDeadlines deadlines = new HttpDeadlines("election-kubernetes-deadline");
    private final Duration limit;
    private final KeptConnections<ApiConnection> connections;
    private final Proof proof;
    private final LeaseWatch watch;
    private final Queue<Question> waiting = new ConcurrentLinkedQueue<>();

    /** How many threads are making calls that belong together. */
    private final AtomicInteger batches = new AtomicInteger();

    /**
     * Creates the store, which connects to nothing yet.
     *
     * @param shortestLease the shortest lease of the elections: a third of it is the time limit for an answer, within bounds
     */
    public KubernetesRecordStore(KubernetesAccess access, KubernetesSettings settings, Duration shortestLease) {
        this.traits = new StoreTraits(
                "Kubernetes",
                settings.separatedBy(),
                Duration.ofMillis(1),
                SHORTEST_LEASE,
                TIMEOUT,
                COMEBACK,
                shortestLease.plus(TIMEOUT));
        this.location = "Kubernetes (" + access.server() + "), namespace " + access.namespace() + ", Leases "
                + settings.prefix() + "-*";
        this.names = new LeaseNames(settings.prefix());
        this.limit = KeptConnections.limit(shortestLease);
        this.api = new ApiServer(access, deadlines, limit);
        this.proof = new Proof(this::reopenWatch);
        this.watch = new LeaseWatch(api, proof, names, shortestLease);
        this.connections = connections("election-kubernetes", CONNECTIONS);
    }

    private KeptConnections<ApiConnection> connections(String name, int most) {
        return new KeptConnections<>(name, most, limit, new KeptConnections.Kind<>() {
            @Override
            public ApiConnection open() throws IOException {
                return new ApiConnection(api, proof);
            }

            @Override
            public NoAnswer answer(Exception failure) {
                return ApiFailure.answer(failure);
            }
        });
    }

    /** Returns the label of a pod that leads, with a connection of its own: no lease waits for pods, and no removal overtakes a label. */
    public PodLabel label(String pod) {
        return new PodLabel(connections("election-kubernetes-pod", 1), api, pod);
    }

    private void reopenWatch() {
        watch.replaced();
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public boolean hearsAtOnce() {
        return watch.isListening();
    }

    /** A read that waits for a connection. */
    private record Question(String key, CompletableFuture<ReadOutcome> answer) {}

    @Override
    public void together(Runnable calls) {
        batches.incrementAndGet();
        try {
            calls.run();
        } finally {
            batches.decrementAndGet();
            answerWaiting();
        }
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        Question question = new Question(key, new CompletableFuture<>());
        waiting.add(question);
        if (batches.get() == 0) {
            answerWaiting();
        }
        return question.answer;
    }

    /** Answers all reads that wait by now. */
    private void answerWaiting() {
        if (!waiting.isEmpty()) {
            CompletionStage<Boolean> unused = connections.ask(this::readWaiting, this::failWaiting);
        }
    }

    private boolean failWaiting(NoAnswer failure) {
        takeWaiting().forEach(question -> question.answer.complete(new Failed(failure)));
        return false;
    }

    private List<Question> takeWaiting() {
        List<Question> questions = new ArrayList<>();
        for (Question next = waiting.poll(); next != null; next = waiting.poll()) {
            questions.add(next);
        }
        return questions;
    }

    private boolean readWaiting(ApiConnection connection) {
        Map<String, List<Question>> folders =
                takeWaiting().stream().collect(Collectors.groupingBy(question -> LeaseNames.folder(question.key)));
        folders.forEach((folder, some) -> {
            if (some.size() < LISTED) {
                some.forEach(one -> one.answer.complete(outcome(() -> readOne(connection, one.key))));
            } else {
                readTogether(connection, folder, some);
            }
        });
        return true;
    }

    private void readTogether(ApiConnection connection, String folder, List<Question> questions) {
        Map<String, LeaseObject> found = new HashMap<>();
        Origin origin;
        try {
            origin = list(connection, List.of(folder), lease -> found.put(lease.name(), lease));
        } catch (Throwable failure) {
            questions.forEach(one -> one.answer.complete(new Failed(ApiFailure.answer(failure))));
            return;
        }
        questions.forEach(one -> one.answer.complete(outcome(() -> {
            LeaseObject lease = found.get(names.of(one.key));
            return new Read(lease == null ? null : own(one.key, lease).stored(), origin);
        })));
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

    private Read readOne(ApiConnection connection, String key) throws IOException {
        Found found = find(connection, key);
        return new Read(found.lease == null ? null : found.lease.stored(), found.origin);
    }

    private record Found(@Nullable LeaseObject lease, Origin origin) {}

    private Found find(ApiConnection connection, String key) throws IOException {
        String name = names.of(key);
        Proof.Sent sent = proof.sending(name);
        LeaseObject lease = api.get(connection.http(), name);
        if (lease == null) {
            return new Found(null, list(connection, List.of(LeaseNames.folder(key)), another -> {}));
        }
        Origin origin = origin(proof.read(connection.link(), sent, lease.version()));
        return new Found(own(key, lease), origin);
    }

    /** Returns the Lease if its text is that of these elections. */
    private LeaseObject own(String key, LeaseObject lease) throws ApiFailure {
        if (!lease.key().equals(key) || !lease.isIntact()) {
            throw new ApiFailure(
                    StoreProblem.WRONG_TYPE,
                    "the Lease " + lease.name() + " is not as these elections have written it",
                    "the Lease " + lease.name()
                            + " was made or edited by somebody else: delete it, or let the elections use another prefix");
        }
        watch.noticed(lease);
        return lease;
    }

    private static Origin origin(Continuity shown) {
        return new Origin(null, shown);
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return connections.ask(
                connection -> expected == null ? create(connection, key, text) : patch(connection, key, expected, text),
                Failed::new);
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        // An empty text reads as nothing. A DELETE alone could not compare the text.
        return connections.ask(connection -> patch(connection, key, expected, ""), Failed::new);
    }

    private ReplaceOutcome create(ApiConnection connection, String key, String text) throws IOException {
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
    private @Nullable Written made(ApiConnection connection, String key, String text) throws IOException {
        Proof.Sent sent = proof.sending(names.of(key));
        LeaseObject made = api.create(connection.http(), LeaseObject.creation(names, key, text, Instant.now()));
        return made == null
                ? null
                : new Written(made.stored(), origin(proof.written(connection.link(), sent, made.version())));
    }

    private ReplaceOutcome patch(ApiConnection connection, String key, Stored expected, String text)
            throws IOException {
        return patch(
                connection, key, LeaseObject.uid(expected), expected.text(), LeaseObject.transitions(expected), text);
    }

    private ReplaceOutcome patch(
            ApiConnection connection, String key, String uid, String before, long transitions, String text)
            throws IOException {
        String name = names.of(key);
        String body = LeaseObject.replacement(uid, before, transitions, text, Instant.now());
        Proof.Sent sent = proof.sending(name);
        Patched patched = api.patch(connection.http(), name, body);
        if (patched instanceof Patched.Done done) {
            long version = done.lease().version();
            Origin origin = origin(
                    text.equals(before)
                            ? proof.read(connection.link(), sent, version)
                            : proof.written(connection.link(), sent, version));
            if (text.isEmpty()) {
                remove(done.lease());
            }
            return new Written(done.lease().stored(), origin);
        }
        Found there = find(connection, key);
        boolean isExpected = there.lease != null
                && there.lease.uid().equals(uid)
                && there.lease.text().equals(before);
        if (isExpected && patched instanceof Patched.Refused refused) {
            // No test can have failed: the API server refuses the new text.
            throw refused.failure();
        }
        return conflict(there);
    }

    private static Conflict conflict(Found there) {
        return new Conflict(there.lease == null ? null : there.lease.stored(), there.origin);
    }

    /** Deletes a Lease whose text is empty. It reads as nothing, so it makes no difference whether that succeeds. */
    private void remove(LeaseObject emptied) {
        CompletionStage<Boolean> unused = connections.ask(
                connection -> {
                    api.delete(connection.http(), emptied);
                    return true;
                },
                failed -> false);
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        return connections.ask(
                connection -> {
                    List<String> keys = new ArrayList<>();
                    list(connection, prefix, lease -> keys.add(lease.key()));
                    return new Listed(keys);
                },
                Failed::new);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return connections.ask(
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

    private Origin list(ApiConnection connection, String prefix, Consumer<LeaseObject> each) throws IOException {
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

    private Origin list(ApiConnection connection, List<String> folders, Consumer<LeaseObject> each) throws IOException {
        Proof.Sent sent = proof.sending("");
        Leases leases = api.list(connection.http(), LeaseObject.selector(names.prefix(), folders));
        leases.all().forEach(each);
        return origin(proof.listed(connection.link(), sent, leases.version()));
    }

    @Override
    public LeaseStore.Subscription watch(String key, Consumer<Change> watcher) {
        return watch.add(key, watcher);
    }

    @Override
    public void close() {
        watch.close();
        connections.close();
        deadlines.close();
    }
}
