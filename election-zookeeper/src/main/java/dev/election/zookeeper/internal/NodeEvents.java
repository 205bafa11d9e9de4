package dev.election.zookeeper.internal;

import dev.election.record.KeptConnections;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordWatch;
import dev.election.store.NoAnswer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BiFunction;
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
            for (Link.News one = news.take(); !one.isEnd(); one = news.take()) {
                take(one, listener);
            }
            throw KeeperException.create(Code.CONNECTIONLOSS);
        }

        private void take(Link.News one, RecordWatch.Listener listener) {
            String path = one.path();
            if (one.type() == EventType.NodeDeleted) {
                latest.remove(path);
                key(path).ifPresent(key -> listener.shown(key, ++shown, new Read(null, link.origin())));
                return;
            }
            key(NodePaths.parent(path)).ifPresent(key -> {
                Stored stored = one.written() == null ? read(path) : one.written();
                if (stored != null) {
                    show(key, stored, listener);
                }
            });
        }

        /** Returns the key of a node, empty for a node that has none. */
        private Optional<String> key(String path) {
            return NodePaths.key(NodePaths.name(path))
                    .filter(key -> paths.of(key).equals(path));
        }

        /** Returns the text, {@code null} if it was deleted since. */
        private @Nullable Stored read(String path) {
            try {
                return link.text(path).join();
            } catch (CompletionException failure) {
                if (failure.getCause() instanceof KeeperException.NoNodeException) {
                    return null;
                }
                throw failure;
            }
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
