package dev.election.zookeeper.internal;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import dev.election.support.DaemonThreads;
import dev.election.support.ReadableDuration;
import dev.election.zookeeper.ZooKeeperAccess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.client.HostProvider;
import org.apache.zookeeper.client.StaticHostProvider;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * The connection of this process to an ensemble: a handle of the client, which finds another server by itself, and another handle when its session
 * has expired. Nothing is lost with a session, since no node is ephemeral. A request waits for a connection no longer than for its answer, and
 * is not sent after that. Nothing here blocks the event thread of a handle.
 */
final class EnsembleConnection implements AutoCloseable {

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final ZooKeeperAccess access;
    private final Duration limit;
    private final List<InetSocketAddress> servers;

    /** Goes from one server to the next, across handles: a handle that is given up was at one that hangs. */
    private final HostProvider inTurn;

    private final ScheduledThreadPoolExecutor timer = new DaemonThreads("election-zookeeper-deadline").timer(IDLE);

    /** Guarded by this, as are the others. */
    private @Nullable Handle handle;

    private @Nullable Link current;

    /** The requests that wait for a connection. */
    private final Set<Request<?>> waiting = new LinkedHashSet<>();

    /** The reason why there is no connection. */
    private NoAnswer away;

    private boolean isClosed;

    /**
     * Creates it without a connection, which the first request makes.
     *
     * @param limit how long an answer is waited for
     */
    EnsembleConnection(ZooKeeperAccess access, Duration limit) {
        this.access = access;
        this.limit = limit;
        this.servers = new ConnectStringParser(access.hosts()).getServerAddresses();
        this.inTurn = new StaticHostProvider(servers);
        this.away = unreachable();
        // Deadlines of requests that are under way still hold after the end.
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(true);
    }

    private NoAnswer unreachable() {
        return new NoAnswer(
                StoreProblem.UNREACHABLE,
                "no connection to " + access.hosts() + " within " + ReadableDuration.of(limit) + ": it was not sent",
                "no server of the ensemble accepts this client: check that a majority of them runs, and that hosts, ports and"
                        + " TLS settings are right");
    }

    private static NoAnswer closed() {
        return new NoAnswer(StoreProblem.UNREACHABLE, "this store is closed");
    }

    /** Makes a connection unless there is one, or one is being made. */
    private synchronized void open() {
        if (handle != null || isClosed) {
            return;
        }
        try {
            handle = new Handle();
        } catch (IOException | RuntimeException failure) {
            away = ZooKeeperFailure.answer(failure);
        }
    }

    /**
     * Runs the calls of a request.
     *
     * @param calls sends them over a link
     * @param failed makes the outcome of a failure
     */
    <T> CompletionStage<T> ask(Function<Link, CompletionStage<T>> calls, Function<NoAnswer, T> failed) {
        Request<T> request = new Request<>(calls, failed);
        Link link;
        synchronized (this) {
            if (isClosed) {
                return CompletableFuture.completedFuture(failed.apply(closed()));
            }
            open();
            link = current;
            if (link == null) {
                waiting.add(request);
            }
            Future<?> deadline =
                    timer.schedule(() -> request.fail(late(request)), limit.toNanos(), TimeUnit.NANOSECONDS);
            CompletionStage<T> unused = request.answer.whenComplete((outcome, failure) -> deadline.cancel(false));
        }
        if (link != null) {
            request.send(link);
        }
        return request.answer;
    }

    /** Returns the present link, or the next one. */
    CompletableFuture<Link> link() {
        CompletableFuture<Link> found = new CompletableFuture<>();
        CompletionStage<Boolean> unused = ask(
                link -> CompletableFuture.completedFuture(found.complete(link)),
                why -> found.completeExceptionally(new ZooKeeperFailure(why)));
        return found;
    }

    /** Returns the answer to a request whose deadline has come. */
    private synchronized NoAnswer late(Request<?> request) {
        boolean isSent = !waiting.remove(request);
        // The client itself waits for two thirds of the session for a server that hangs. Servers that were restored to
        // less than it has seen refuse it for ever.
        if (current != null
                ? request.link == current
                : handle != null && System.nanoTime() - handle.awaySince >= limit.toNanos()) {
            leave();
            open();
        }
        return isSent
                ? new NoAnswer(
                        StoreProblem.TIMED_OUT,
                        "no reply from " + access.hosts() + " within " + ReadableDuration.of(limit),
                        "the ensemble does not answer in time: check that a majority of its servers runs, their disks and the network")
                : away;
    }

    /** Gives the handle up. */
    private void leave() {
        Handle left = handle;
        handle = null;
        endLink();
        if (left != null) {
            // To close a handle takes a last reply.
            new DaemonThreads("election-zookeeper-close").newThread(left::close).start();
        }
    }

    private void endLink() {
        if (current != null) {
            current.end();
            current = null;
        }
    }

    /** A request with its deadline. */
    private static final class Request<T> {

        private final Function<Link, CompletionStage<T>> calls;
        private final Function<NoAnswer, T> failed;
        private final CompletableFuture<T> answer = new CompletableFuture<>();

        /** Over which it was sent. */
        private volatile @Nullable Link link;

        Request(Function<Link, CompletionStage<T>> calls, Function<NoAnswer, T> failed) {
            this.calls = calls;
            this.failed = failed;
        }

        void send(Link present) {
            link = present;
            CompletionStage<Void> unused = CompletableFuture.completedFuture(present)
                    .thenCompose(calls)
                    .exceptionally(failure -> failed.apply(ZooKeeperFailure.answer(failure)))
                    .thenAccept(answer::complete);
        }

        void fail(NoAnswer why) {
            answer.complete(failed.apply(why));
        }
    }

    /** A handle of the client, whose events come on its own thread. */
    private final class Handle implements Watcher {

        /** When it was made, or has lost its connection. Guarded by the outer object. */
        private long awaySince = System.nanoTime();

        private final ZooKeeper zooKeeper;
        private final List<ACL> acl = access.user() == null ? Ids.OPEN_ACL_UNSAFE : Ids.CREATOR_ALL_ACL;

        /** Made under the lock, so that no event comes before this is the present one. */
        Handle() throws IOException {
            ZKClientConfig config = new ZKClientConfig();
            access.client().forEach(config::setProperty);
            // The watch is set anew with each connection, so that it is known when it is there.
            config.setProperty(ZKClientConfig.DISABLE_AUTO_WATCH_RESET, "true");
            // Two leases: a third of it passes before a ping, and mostly a renewal takes its place.
            int session = Math.toIntExact(limit.toMillis() * 6);
            // Before a server that is tried again a provider waits for a second, so the only one has a new provider
            // each time.
            HostProvider next = servers.size() > 1 ? inTurn : new StaticHostProvider(servers);
            zooKeeper = new ZooKeeper(access.hosts(), session, this, false, next, config);
            if (access.user() != null) {
                String credentials = access.user() + ":" + access.password();
                zooKeeper.addAuthInfo("digest", credentials.getBytes(StandardCharsets.UTF_8));
            }
        }

        @Override
        public void process(WatchedEvent event) {
            if (event.getType() != Event.EventType.None) {
                Link link;
                synchronized (EnsembleConnection.this) {
                    link = handle == this ? current : null;
                }
                if (link != null) {
                    link.heard(event.getType(), event.getPath());
                }
                return;
            }
            switch (event.getState()) {
                case SyncConnected -> connected();
                case Expired -> {
                    ended(unreachable());
                    // Nothing was lost with the session.
                    open();
                }
                case AuthFailed -> {
                    // Without a login by SASL the client goes on where the server lets it. Otherwise the next request
                    // opens another handle.
                    if (!zooKeeper.getState().isAlive()) {
                        ended(ZooKeeperFailure.unauthenticated());
                    }
                }
                case Disconnected -> disconnected();
                default -> {}
            }
        }

        private void connected() {
            Link made;
            List<Request<?>> sent;
            synchronized (EnsembleConnection.this) {
                if (handle != this) {
                    return;
                }
                // Not before: the client may be connected while this is still being made.
                made = new Link(zooKeeper, acl, limit.multipliedBy(2));
                endLink();
                current = made;
                away = unreachable();
                sent = List.copyOf(waiting);
                waiting.clear();
            }
            sent.forEach(request -> request.send(made));
        }

        private void disconnected() {
            synchronized (EnsembleConnection.this) {
                if (handle == this) {
                    endLink();
                    awaySince = System.nanoTime();
                }
            }
        }

        private void ended(NoAnswer why) {
            synchronized (EnsembleConnection.this) {
                if (handle == this) {
                    leave();
                    away = why;
                }
            }
        }

        private void close() {
            try {
                zooKeeper.close();
            } catch (InterruptedException nobodyDoes) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Ends the connection. Requests that wait for one get the answer that the store is closed, others that of their deadline at the latest. */
    @Override
    public void close() {
        List<Request<?>> left;
        synchronized (this) {
            isClosed = true;
            left = List.copyOf(waiting);
            waiting.clear();
            leave();
            timer.shutdown();
        }
        left.forEach(request -> request.fail(closed()));
    }
}
