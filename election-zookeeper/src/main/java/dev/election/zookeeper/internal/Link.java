package dev.election.zookeeper.internal;

import dev.election.record.Continuity;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Stored;
import dev.election.support.RandomId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server of the ensemble. A server ends it when it loses its leader, so it proves that the ensemble is the same. Replies come on
 * the event thread of the handle, in the order of the connections. The client sends what was queued over the next connection, too: the reply to
 * that counts as lost here. Each failure is a {@link KeeperException}.
 */
final class Link {

    /** How many texts of any length are read at once: a client ends a connection with a reply of more than a megabyte, and a ledger has up to 200 kB. */
    static final int TEXTS_AT_ONCE = 4;

    private static final byte[] EMPTY = new byte[0];

    private final ZooKeeper handle;
    private final List<ACL> acl;
    private final Duration limit;
    private final String id = RandomId.ofBytes(8);
    private final Origin origin = new Origin(null, Continuity.ofConnection(id));

    /** The paths of the texts that are being written over it, each with whether an event of it has come. */
    private final Map<String, Boolean> own = new ConcurrentHashMap<>();

    private volatile Consumer<News> listener = news -> {};

    /** Set on the event thread of the handle, before any reply of a later connection. */
    private volatile boolean isOver;

    /** Whether the server has said that it wants a user, after which it ends the connection. */
    private volatile boolean isRefused;

    /**
     * Creates the link of the connection that a handle has just made.
     *
     * @param acl who may read and change the nodes that are created over it
     * @param limit how long a reply is waited for; longer than that to a request, whose deadline leaves the server
     */
    Link(ZooKeeper handle, List<ACL> acl, Duration limit) {
        this.handle = handle;
        this.acl = acl;
        this.limit = limit;
    }

    String id() {
        return id;
    }

    Origin origin() {
        return origin;
    }

    void end() {
        isOver = true;
        listener.accept(News.END);
    }

    /**
     * An event of a node, on the event thread of the handle.
     *
     * @param written the text, if it was written over this link
     */
    record News(EventType type, String path, @Nullable Stored written) {

        static final News END = new News(EventType.None, "", null);
    }

    /** Lets a listener hear of all events from now on, and of the end. */
    void listen(Consumer<News> next) {
        listener = next;
    }

    /** Notes an event. That of an own write comes before its reply, so it waits for that. */
    void heard(EventType type, String path) {
        if (own.replace(path, true) == null) {
            listener.accept(new News(type, path, null));
        }
    }

    /** Returns the names of the children of a node, none if it is not there. */
    CompletionStage<List<String>> children(String path) {
        return read(List.of(Op.getChildren(path)), 1)
                .thenApply(found -> found.get(0) instanceof OpResult.GetChildrenResult names
                        ? names.getChildren()
                        : List.<String>of());
    }

    /** Lets the reads that follow see what was written anywhere until now: a server may lag behind the leader. */
    CompletableFuture<Boolean> sync(String path) {
        return call(reply -> handle.sync(path, (rc, asked, context) -> reply.come(rc, asked, () -> true), null));
    }

    /** Replaces the text of a node if it is still in that state. */
    CompletableFuture<Stored> write(String node, NodeText state, String text) {
        String path = node + "/" + state.child();
        boolean isOnly = own.putIfAbsent(path, false) == null;
        CompletableFuture<Stored> written = call(reply -> handle.setData(
                path,
                text.getBytes(StandardCharsets.UTF_8),
                state.version(),
                (rc, asked, context, stat) ->
                        reply.come(rc, asked, () -> NodeText.stored(this, state.child(), stat.getVersion(), text)),
                null));
        return written.whenComplete((stored, failure) -> {
            if (isOnly && Boolean.TRUE.equals(own.remove(path))) {
                listener.accept(new News(EventType.NodeDataChanged, path, stored));
            }
        });
    }

    CompletableFuture<Boolean> create(String path) {
        return change(List.of(Op.create(path, EMPTY, acl, CreateMode.PERSISTENT)));
    }

    CompletableFuture<Boolean> delete(String path) {
        return call(reply -> handle.delete(path, -1, (rc, asked, context) -> reply.come(rc, asked, () -> true), null));
    }

    /** Creates a node and a child with a text, if the node is not there. */
    CompletableFuture<Boolean> create(String path, String child, byte[] text) {
        return change(List.of(
                Op.create(path, EMPTY, acl, CreateMode.PERSISTENT),
                Op.create(path + "/" + child, text, acl, CreateMode.PERSISTENT)));
    }

    /** Deletes a node and its only child, if that has that version. */
    CompletableFuture<Boolean> delete(String path, String child, int version) {
        return change(List.of(Op.delete(path + "/" + child, version), Op.delete(path, -1)));
    }

    private CompletableFuture<Boolean> change(List<Op> all) {
        return call(reply -> handle.multi(
                all, (rc, asked, context, results) -> reply.come(rc, all.get(0).getPath(), () -> true), null));
    }

    /** Returns the texts of nodes by their paths, without those of nodes that are not there. Reads so many with each request. */
    CompletionStage<Map<String, Stored>> texts(List<String> nodes, int atOnce) {
        return read(nodes.stream().map(Op::getData).toList(), atOnce).thenApply(found -> {
            Map<String, Stored> texts = new HashMap<>();
            for (int i = 0; i < nodes.size(); i++) {
                if (found.get(i) instanceof OpResult.GetDataResult data) {
                    String text = new String(Objects.requireNonNullElse(data.getData(), EMPTY), StandardCharsets.UTF_8);
                    String child = NodePaths.name(nodes.get(i));
                    texts.put(
                            nodes.get(i),
                            NodeText.stored(this, child, data.getStat().getVersion(), text));
                }
            }
            return texts;
        });
    }

    /** Carries out reads, so many with each request. One of a node that is not there has an error as its result. */
    CompletionStage<List<OpResult>> read(List<Op> all, int atOnce) {
        if (all.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        int most = Math.min(atOnce, all.size());
        return read(all.subList(0, most))
                .thenCombine(read(all.subList(most, all.size()), atOnce), (some, others) -> Stream.concat(
                                some.stream(), others.stream())
                        .toList());
    }

    private CompletionStage<List<OpResult>> read(List<Op> all) {
        CompletionStage<List<OpResult>> found = call(reply -> handle.multi(
                all,
                (rc, asked, context, results) -> reply.come(
                        results != null && results.size() == all.size() ? Code.OK.intValue() : rc,
                        all.get(0).getPath(),
                        () -> results),
                null));
        return found.thenApply(results -> {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof OpResult.ErrorResult error && error.getErr() != Code.NONODE.intValue()) {
                    throw new CompletionException(KeeperException.create(
                            Code.get(error.getErr()), all.get(i).getPath()));
                }
            }
            return results;
        });
    }

    /** Lets the watcher of the handle hear of all changes below a path, until the connection ends. */
    CompletableFuture<Boolean> watch(String path) {
        return call(reply -> handle.addWatch(
                path,
                AddWatchMode.PERSISTENT_RECURSIVE,
                (rc, asked, context) -> reply.come(rc, asked, () -> true),
                null));
    }

    private <R> CompletableFuture<R> call(Consumer<Reply<R>> request) {
        Reply<R> reply = new Reply<>();
        request.accept(reply);
        return reply.future.orTimeout(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    private final class Reply<R> {

        private final CompletableFuture<R> future = new CompletableFuture<>();

        void come(int code, @Nullable String path, Supplier<R> value) {
            Code known = isOver ? Code.CONNECTIONLOSS : Objects.requireNonNullElse(Code.get(code), Code.SYSTEMERROR);
            known = isRefused ? Code.SESSIONCLOSEDREQUIRESASLAUTH : known;
            isRefused = known == Code.SESSIONCLOSEDREQUIRESASLAUTH;
            if (known == Code.OK) {
                future.complete(value.get());
            } else {
                future.completeExceptionally(KeeperException.create(known, path));
            }
        }
    }
}
