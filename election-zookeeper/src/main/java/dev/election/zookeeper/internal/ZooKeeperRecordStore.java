package dev.election.zookeeper.internal;

import static java.util.concurrent.CompletableFuture.completedFuture;
import static java.util.concurrent.CompletableFuture.failedFuture;

import dev.election.record.KeptConnections;
import dev.election.record.RecordStore;
import dev.election.record.RecordWatch;
import dev.election.store.LeaseStore;
import dev.election.store.StoreTraits;
import dev.election.support.RandomId;
import dev.election.zookeeper.ZooKeeperAccess;
import dev.election.zookeeper.ZooKeeperSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.jspecify.annotations.Nullable;

/** Record store in the nodes of an ensemble: a node for each key, with one child that has the text. A key without a text has no node. */
public final class ZooKeeperRecordStore implements RecordStore, AutoCloseable {

    /** Where the leader of an ensemble is killed, a few seconds pass until the others have one and clients are connected again. */
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(5);

    private static final Duration TIMEOUT = Duration.ofMillis(500);

    private static final int NAMES_AT_ONCE = 1000;

    /** How long a leader needs to connect again and to renew: the client waits for up to a second before each server. */
    private static final Duration COMEBACK = Duration.ofSeconds(3);

    private final StoreTraits traits;
    private final String location;
    private final NodePaths paths;
    private final EnsembleConnection connection;
    private final RecordWatch<NodeEvents.Listening> watch;

    /**
     * Creates the store, which connects to nothing yet.
     *
     * @param shortestLease the shortest lease of the elections: a third of it is the time limit for an answer, within bounds
     */
    public ZooKeeperRecordStore(ZooKeeperAccess access, ZooKeeperSettings settings, Duration shortestLease) {
        this.traits = new StoreTraits(
                "ZooKeeper",
                settings.separatedBy(),
                Duration.ofMillis(1),
                SHORTEST_LEASE,
                TIMEOUT,
                COMEBACK,
                shortestLease.plus(TIMEOUT));
        this.paths = new NodePaths(access.path() + "/" + settings.prefix());
        this.location = "ZooKeeper (" + access.hosts() + paths.root() + ")";
        this.connection = new EnsembleConnection(access, KeptConnections.limit(shortestLease));
        NodeEvents events = new NodeEvents(
                connection, paths, (link, folder) -> keys(link, folder, "").thenCompose(keys -> texts(link, keys)));
        this.watch = new RecordWatch<>("election-zookeeper-watch", shortestLease, events, events);
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

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        // The server may lag, but a node must see the state that a former leader was told is written.
        return connection.ask(
                link -> link.sync(paths.of(key))
                        .thenCombine(find(link, key), (synced, stored) -> new Read(stored.orElse(null), link.origin())),
                Failed::new);
    }

    private CompletionStage<Optional<Stored>> find(Link link, String key) {
        String path = paths.of(key);
        return link.children(path).thenCompose(children -> {
            if (children.size() > 1) {
                throw ZooKeeperFailure.foreign(path);
            }
            return children.isEmpty()
                    ? completedFuture(Optional.empty())
                    : link.texts(List.of(path + "/" + children.get(0)), 1)
                            // Somebody has deleted the child since, and may have made another one.
                            .thenCompose(found -> found.isEmpty()
                                    ? find(link, key)
                                    : completedFuture(found.values().stream().findFirst()));
        });
    }

    /** Does something else after an error with one of those codes. */
    private static <T> CompletionStage<T> or(
            CompletionStage<T> first, Supplier<CompletionStage<T>> next, Code... codes) {
        return first.exceptionallyCompose(failure -> ZooKeeperFailure.cause(failure) instanceof KeeperException known
                        && List.of(codes).contains(known.code())
                ? next.get()
                : failedFuture(failure));
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return connection.ask(
                link -> expected == null
                        ? create(link, key, text)
                        : ifStill(link, key, expected, state -> link.write(paths.of(key), state, text)
                                .thenApply(stored -> new Written(stored, link.origin()))),
                Failed::new);
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        return connection.ask(
                link -> ifStill(link, key, expected, state -> link.delete(paths.of(key), state.child(), state.version())
                        .thenApply(done -> new Written(null, link.origin()))),
                Failed::new);
    }

    /**
     * Makes a change that holds only if a key still has that text. The version says so, unless the text was seen over another link: the ensemble may have
     * been replaced by a backup since, and has given out the same version with another text.
     */
    private CompletionStage<ReplaceOutcome> ifStill(
            Link link, String key, Stored expected, Function<NodeText, CompletionStage<ReplaceOutcome>> write) {
        NodeText state = NodeText.of(expected);
        CompletionStage<Optional<Stored>> seen =
                state.link().equals(link.id()) ? completedFuture(Optional.of(expected)) : find(link, key);
        return seen.thenCompose(current -> {
            boolean isStill = current.filter(
                            present -> state.isThatOf(present) && present.text().equals(expected.text()))
                    .isPresent();
            return isStill
                    ? or(write.apply(state), () -> conflict(link, key), Code.NONODE, Code.BADVERSION, Code.NOTEMPTY)
                    : completedFuture(new Conflict(current.orElse(null), link.origin()));
        });
    }

    private CompletionStage<ReplaceOutcome> conflict(Link link, String key) {
        return find(link, key).thenApply(current -> new Conflict(current.orElse(null), link.origin()));
    }

    /** Creates a node with its child. It is sent again only where it was refused because there was no folder. */
    private CompletionStage<ReplaceOutcome> create(Link link, String key, String text) {
        Supplier<CompletionStage<ReplaceOutcome>> attempt = () -> made(link, key, text);
        return or(
                attempt.get(),
                () -> makeFolder(link, paths.folder(key)).thenCompose(done -> attempt.get()),
                Code.NONODE);
    }

    private CompletionStage<ReplaceOutcome> made(Link link, String key, String text) {
        String path = paths.of(key);
        String child = RandomId.ofBytes(8);
        return or(
                link.create(path, child, text.getBytes(StandardCharsets.UTF_8))
                        .thenApply(done -> new Written(NodeText.stored(link, child, 0, text), link.origin())),
                () -> conflict(link, key)
                        .thenCompose(outcome -> outcome instanceof Conflict conflict && conflict.current() == null
                                ? tidy(link, path, outcome)
                                : completedFuture(outcome)),
                Code.NODEEXISTS);
    }

    /** Deletes a node whose child somebody else has deleted. Whoever wants to create it tries again. */
    private static CompletionStage<ReplaceOutcome> tidy(Link link, String path, ReplaceOutcome outcome) {
        return or(link.delete(path), () -> completedFuture(true), Code.NONODE, Code.NOTEMPTY)
                .thenApply(done -> outcome);
    }

    /** Creates a folder, and those above it. They stay, so that it makes no difference who does it. */
    private static CompletionStage<Boolean> makeFolder(Link link, String path) {
        Supplier<CompletionStage<Boolean>> attempt =
                () -> or(link.create(path), () -> completedFuture(true), Code.NODEEXISTS);
        String above = NodePaths.parent(path);
        return above.isEmpty()
                ? attempt.get()
                : or(attempt.get(), () -> makeFolder(link, above).thenCompose(done -> attempt.get()), Code.NONODE);
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        return connection.ask(link -> keys(link, prefix).thenApply(Listed::new), Failed::new);
    }

    /** Returns the keys that begin with a prefix. */
    private CompletionStage<List<String>> keys(Link link, String prefix) {
        // One that has just been written elsewhere is not overlooked.
        CompletionStage<Boolean> unused = link.sync(paths.root());
        if (prefix.contains("/")) {
            return keys(link, paths.folder(prefix), prefix);
        }
        return link.children(paths.root()).thenCompose(folders -> {
            CompletionStage<List<String>> all = completedFuture(List.of());
            for (String folder : folders) {
                all = all.thenCombine(keys(link, paths.root() + "/" + folder, prefix), (some, others) -> Stream.concat(
                                some.stream(), others.stream())
                        .toList());
            }
            return all;
        });
    }

    private static CompletionStage<List<String>> keys(Link link, String folder, String prefix) {
        return link.children(folder).thenApply(names -> names.stream()
                .flatMap(name -> NodePaths.key(name).stream())
                .filter(key -> key.startsWith(prefix))
                .toList());
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return connection.ask(
                link -> keys(link, prefix)
                        .thenCompose(keys -> texts(link, keys))
                        .thenApply(stored -> new ReadAll(stored, link.origin())),
                Failed::new);
    }

    private CompletionStage<Map<String, Stored>> texts(Link link, List<String> keys) {
        return link.read(keys.stream().map(key -> Op.getChildren(paths.of(key))).toList(), NAMES_AT_ONCE)
                .thenCompose(found -> {
                    Map<String, String> children = new LinkedHashMap<>();
                    for (int i = 0; i < keys.size(); i++) {
                        if (found.get(i) instanceof OpResult.GetChildrenResult names
                                && names.getChildren().size() == 1) {
                            children.put(
                                    paths.of(keys.get(i)) + "/"
                                            + names.getChildren().get(0),
                                    keys.get(i));
                        }
                    }
                    return link.texts(List.copyOf(children.keySet()), Link.TEXTS_AT_ONCE)
                            .thenApply(texts -> texts.entrySet().stream()
                                    .collect(Collectors.toMap(
                                            text -> children.get(text.getKey()), Map.Entry::getValue)));
                });
    }

    @Override
    public LeaseStore.Subscription watch(String key, Consumer<Change> watcher) {
        return watch.add(key, watcher);
    }

    @Override
    public void close() {
        watch.close();
        connection.close();
    }
}
