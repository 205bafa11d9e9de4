package dev.election.zookeeper.internal;

import dev.election.record.RecordStore.Change;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.store.LeaseStore.Subscription;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the folders of the watched keys, with each connection anew. An event has no text: the node is read once for all watchers of its key, over the
 * same connection, so that what is passed on is at least as new as the event.
 */
final class NodeWatch {

    private static final Logger log = LoggerFactory.getLogger(NodeWatch.class);

    private final NodePaths paths;
    private final Duration lease;

    /** By the paths of their keys. Guarded by this, as are the others. */
    private final Map<String, List<Consumer<Change>>> watchers = new HashMap<>();

    /** The folders whose changes are heard of over the present connection. */
    private final Set<String> heard = new HashSet<>();

    private @Nullable Link current;
    private boolean wasAway;
    private boolean isWarned;
    private volatile boolean isListening;

    /**
     * Creates a watch without a connection.
     *
     * @param lease the time within which news is found without it, for the log
     */
    NodeWatch(NodePaths paths, Duration lease) {
        this.paths = paths;
        this.lease = lease;
    }

    /** Whether events arrive at present. */
    boolean isListening() {
        return isListening;
    }

    Subscription add(String key, Consumer<Change> watcher) {
        String folder = paths.folder(key);
        Link link;
        synchronized (this) {
            watchers.computeIfAbsent(paths.of(key), unknown -> new CopyOnWriteArrayList<>())
                    .add(watcher);
            isListening = heard.containsAll(folders());
            link = heard.contains(folder) ? null : current;
        }
        if (link != null) {
            listen(link, folder, Change.TEXT);
        }
        return () -> remove(paths.of(key), watcher);
    }

    private synchronized void remove(String path, Consumer<Change> watcher) {
        List<Consumer<Change>> left = watchers.get(path);
        if (left != null && left.remove(watcher) && left.isEmpty()) {
            watchers.remove(path);
        }
    }

    private synchronized Set<String> folders() {
        Set<String> folders = new HashSet<>();
        watchers.keySet().forEach(path -> folders.add(NodePaths.parent(path)));
        return folders;
    }

    void connected(Link link) {
        Change change;
        synchronized (this) {
            current = link;
            change = wasAway ? Change.CONNECTION : Change.TEXT;
        }
        folders().forEach(folder -> listen(link, folder, change));
    }

    synchronized void disconnected() {
        current = null;
        wasAway = true;
        isListening = false;
        heard.clear();
    }

    /** Hears of the changes in a folder from now on. What has changed before the watch was there is for the watchers to read. */
    private void listen(Link link, String folder, Change change) {
        CompletableFuture<Void> unused = link.watch(folder).handle((isSet, failure) -> {
            if (failure == null) {
                begin(link, folder);
            } else {
                warn(failure);
            }
            in(folder).forEach(watcher -> watcher.accept(change));
            return null;
        });
    }

    private synchronized void begin(Link link, String folder) {
        if (link == current) {
            heard.add(folder);
            isListening = heard.containsAll(folders());
            isWarned = false;
        }
    }

    private synchronized void warn(Throwable failure) {
        boolean isLost = failure instanceof KeeperException known && known.code() == Code.CONNECTIONLOSS;
        if (!isLost && !isWarned) {
            isWarned = true;
            log.warn(
                    "Failed to watch the nodes of the elections, so news take up to {} until the next connection: {}",
                    ReadableDuration.of(lease),
                    ZooKeeperFailure.answer(failure).action());
        }
    }

    private synchronized List<Consumer<Change>> in(String folder) {
        List<Consumer<Change>> all = new ArrayList<>();
        watchers.forEach((path, some) -> {
            if (NodePaths.parent(path).equals(folder)) {
                all.addAll(some);
            }
        });
        return all;
    }

    private synchronized List<Consumer<Change>> of(String path) {
        return watchers.getOrDefault(path, List.of());
    }

    void changed(Link link, WatchedEvent event) {
        String path = event.getPath();
        if (event.getType() == EventType.NodeDeleted) {
            Change gone = new Change.Text(new Read(null, link.origin()));
            of(path).forEach(watcher -> watcher.accept(gone));
            return;
        }
        List<Consumer<Change>> watching = of(NodePaths.parent(path));
        if (!watching.isEmpty()) {
            CompletableFuture<Void> unused = link.data(path).handle((data, failure) -> {
                boolean isGone = failure instanceof KeeperException known && known.code() == Code.NONODE;
                if (!isGone) {
                    Stored stored = failure == null
                            ? NodeText.stored(link, NodePaths.name(path), data.version(), data.text())
                            : null;
                    Change change = stored == null ? Change.TEXT : new Change.Text(new Read(stored, link.origin()));
                    watching.forEach(watcher -> watcher.accept(change));
                }
                return null;
            });
        }
    }
}
