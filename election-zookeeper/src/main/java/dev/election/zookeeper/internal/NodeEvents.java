package dev.election.zookeeper.internal;

import dev.election.record.KeptConnections;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordWatch;
import dev.election.store.NoAnswer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The events of the folders with watched keys. An event has no text, so the node is read over the same link: what is shown is at least as new as the
 * event. The text of an own write is known.
 *
 * @param texts reads all texts in a folder
 */
record NodeEvents(
        EnsembleConnection connection,
        NodePaths paths,
        BiFunction<Link, String, CompletionStage<Map<String, Stored>>> texts)
        implements KeptConnections.Kind<NodeEvents.Listening>, RecordWatch.Source<NodeEvents.Listening> {

    /** The text of an election is small. */
    private static final int ELECTIONS_AT_ONCE = 40;

    @Override
    public String what() {
        return "the nodes of the elections";
    }

    @Override
    public NoAnswer answer(Throwable failure) {
        return ZooKeeperFailure.answer(failure);
    }

    @Override
    public String part(String key) {
        return paths.folder(key);
    }

    @Override
    public Listening open() {
        return new Listening(connection.link().join());
    }

    @Override
    public void listen(Listening listening, Set<String> folders, RecordWatch.Listener listener) throws Exception {
        listening.listen(folders, listener);
    }

    /** Listens over a link, which others use as well. */
    final class Listening implements KeptConnections.Connection {

        private final Link link;
        private final BlockingQueue<Link.News> news = new LinkedBlockingQueue<>();

        /** The latest version of each text that was shown, by the path of its node. */
        private final Map<String, Integer> latest = new HashMap<>();

        private long shown;

        Listening(Link link) {
            this.link = link;
        }

        private void listen(Set<String> folders, RecordWatch.Listener listener) throws Exception {
            link.listen(news::add);
            folders.forEach(folder -> link.watch(folder).join());
            listener.listed();
            for (String folder : folders) {
                Map<String, Stored> listed =
                        texts.apply(link, folder).toCompletableFuture().join();
                listed.forEach((key, stored) -> show(key, stored, listener));
            }
            listener.begun();
            for (List<Link.News> some = next(); !some.contains(Link.News.END); some = next()) {
                Map<String, Stored> read = read(some);
                some.forEach(one -> take(one, read.get(one.path()), listener));
            }
            throw KeeperException.create(Code.CONNECTIONLOSS);
        }

        /** Waits for news, and returns all that is there then: a leader renews its leases together. */
        private List<Link.News> next() throws InterruptedException {
            List<Link.News> some = new ArrayList<>(List.of(news.take()));
            news.drainTo(some);
            return some;
        }

        /** Shows one, with the text that was read for it, {@code null} if it was deleted since. */
        private void take(Link.News one, @Nullable Stored read, RecordWatch.Listener listener) {
            String path = one.path();
            if (one.type() == EventType.NodeDeleted) {
                latest.remove(path);
                key(path).ifPresent(key -> listener.shown(key, ++shown, new Read(null, link.origin())));
                return;
            }
            Stored stored = one.written() == null ? read : one.written();
            if (stored != null) {
                text(one).ifPresent(key -> show(key, stored, listener));
            }
        }

        /** Returns the key whose text has changed, empty if none has. */
        private Optional<String> text(Link.News one) {
            return one.type() == EventType.NodeDeleted ? Optional.empty() : key(NodePaths.parent(one.path()));
        }

        /** Returns the key of a node, empty for a node that has none. */
        private Optional<String> key(String path) {
            return NodePaths.key(NodePaths.name(path))
                    .filter(key -> paths.of(key).equals(path));
        }

        /** Returns the texts that have changed, by the paths of their nodes, without those that were deleted since. */
        private Map<String, Stored> read(List<Link.News> some) {
            Map<Boolean, List<String>> nodes = some.stream()
                    .filter(one -> one.written() == null && text(one).isPresent())
                    .map(Link.News::path)
                    .distinct()
                    .collect(Collectors.partitioningBy(paths::isOfElection));
            Map<String, Stored> read = new HashMap<>();
            nodes.forEach((areElections, same) ->
                    read.putAll(link.texts(same, areElections ? ELECTIONS_AT_ONCE : Link.TEXTS_AT_ONCE)
                            .toCompletableFuture()
                            .join()));
            return read;
        }

        /** Shows a text, unless a later one was read already. */
        private void show(String key, Stored stored, RecordWatch.Listener listener) {
            NodeText text = NodeText.of(stored);
            String node = paths.of(key) + "/" + text.child();
            if (latest.merge(node, text.version(), Math::max) == text.version()) {
                listener.shown(key, ++shown, new Read(stored, link.origin()));
            }
        }

        @Override
        public boolean isUsable() {
            return true;
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public void close() {
            news.add(Link.News.END);
        }
    }
}
