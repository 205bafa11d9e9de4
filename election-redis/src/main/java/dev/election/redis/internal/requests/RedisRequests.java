package dev.election.redis.internal.requests;

import dev.election.StoreProblem;
import dev.election.redis.client.ClientSettings;
import dev.election.redis.client.OpenedClient;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.connection.ClientThreads;
import dev.election.redis.internal.connection.ConnectThread;
import dev.election.redis.internal.connection.ConnectTimeout;
import dev.election.redis.internal.connection.CredentialThreads;
import dev.election.redis.internal.connection.NonBlockingCredentials;
import dev.election.redis.internal.connection.ReconnectPauses;
import dev.election.redis.internal.connection.ReconnectingConnection;
import dev.election.redis.internal.connection.ReplyTimeout;
import dev.election.redis.internal.connection.SilenceWatch;
import dev.election.redis.internal.events.EventChannels;
import dev.election.redis.internal.events.IdleCheck;
import dev.election.redis.internal.events.Refusal;
import dev.election.redis.internal.failure.ClassifiedFailure;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.failure.StoreClosedException;
import dev.election.redis.internal.topology.Primary;
import dev.election.redis.internal.topology.PrimaryWatch;
import dev.election.redis.internal.topology.RedisConnector;
import dev.election.redis.internal.topology.SentinelQuestion;
import dev.election.redis.internal.topology.Sentinels;
import dev.election.support.ReadableDuration;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs scripts over one connection of a client of its own, and opens another by itself: when it breaks, when it is silent for too long, and
 * when the Sentinels name another primary. Requests are never sent again. A silent connection that has been replaced is kept for a lease at
 * most, since it may still answer.
 *
 * <p>Connects at the first request, not when it is created: connecting for the first time takes a quarter of a second of processor time,
 * which an application that is starting needs for itself.
 */
public final class RedisRequests implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisRequests.class);

    /** Time without events after which a sign of life is asked for: two requests a minute at most. */
    private static final Duration QUIET = Duration.ofSeconds(30);

    private static final Duration LONGEST_FOR_A_SIGN_OF_LIFE = Duration.ofSeconds(10);

    private final Duration lease;
    private final @Nullable Integer otherDatabase;
    private final BooleanSupplier mayLead;
    private final ConnectTimeout connectTimeout;
    private final ClientThreads threads;
    private final CredentialThreads asking = new CredentialThreads();
    private final OpenedClient redis;
    private final RedisConnector connector;
    private final ConnectThread connecting;
    private final ReconnectingConnection<StatefulConnection<String, String>> connections;
    private final SilenceWatch silence;
    private final @Nullable PrimaryWatch watch;
    private final ConnectThread watching;
    private final AtomicBoolean opened = new AtomicBoolean();

    private volatile Runnable opening = () -> {};
    private volatile Runnable movingEvents = () -> {};
    private volatile Consumer<Replacement> reconnected = replacement -> {};

    private volatile boolean connectedBefore;

    private RedisRequests(
            RedisAccess access, Duration lease, @Nullable Integer otherDatabase, BooleanSupplier mayLead) {
        this.lease = lease;
        this.otherDatabase = otherDatabase;
        this.mayLead = mayLead;
        this.connectTimeout = new ConnectTimeout(lease);
        this.threads = new ClientThreads(connectTimeout);
        this.redis = access.open(new ClientSettings(
                threads.resources(),
                connectTimeout.longest(),
                lease,
                provider -> NonBlockingCredentials.of(provider, asking)));
        // One for each connection: an attempt that hangs must not hold up the other.
        this.connecting = new ConnectThread("election-redis", 3);
        this.connections = new ReconnectingConnection<>(
                this::connect, this::connected, connecting, pauses(), connectTimeout, lease);
        this.silence = new SilenceWatch(connections, () -> new ReplyTimeout(lease, mayLead), connectTimeout::reading);
        Sentinels sentinels = Sentinels.of(redis.sentinels());
        // For each Sentinel one that watches and one that asks.
        this.watching = new ConnectThread(
                "election-sentinels",
                sentinels == null ? 1 : 2 * sentinels.nodes().size());
        if (redis.client() instanceof RedisClient client && sentinels != null) {
            connectTimeout.throughSentinels(sentinels.nodes());
            SentinelQuestion question = new SentinelQuestion(client, sentinels.primary(), watching);
            Primary primary =
                    new Primary(sentinels.nodes(), question, watching, connectTimeout::nanos, this::primaryMoved);
            this.watch = new PrimaryWatch(sentinels, client, primary, watching, lease, mayLead);
            this.connector = new RedisConnector.ThroughSentinels(client, sentinels, primary);
        } else {
            this.watch = null;
            this.connector = RedisConnector.of(redis.client(), lease);
        }
    }

    /**
     * Creates the requests to the database of the application. Returns at once, whether Redis can be reached or not.
     *
     * @param access how to reach Redis
     * @param lease the shortest lease that depends on these requests: a connection on which nothing is answered for an eighth of it
     *     (half of it before the first reply, and never longer than ten seconds) is replaced, and a reply is waited for as long as it lasts
     * @param mayLead whether this process may hold a lease; then another connection is looked for sooner
     */
    public static RedisRequests open(RedisAccess access, Duration lease, BooleanSupplier mayLead) {
        return new RedisRequests(access, lease, null, mayLead);
    }

    /**
     * Creates the requests to another database of that server.
     *
     * @param database its number
     * @throws IllegalArgumentException if it is a Cluster, which has one database only
     */
    public static RedisRequests open(RedisAccess access, Duration lease, BooleanSupplier mayLead, int database) {
        RedisRequests requests = new RedisRequests(access, lease, database, mayLead);
        if (requests.connector instanceof RedisConnector.Cluster && database != 0) {
            requests.close();
            throw new IllegalArgumentException(
                    "A Redis Cluster has database 0 only, but database " + database + " is asked for");
        }
        return requests;
    }

    /**
     * The longest pause between two attempts to connect to a server that refuses connections, jitter included: for how long a living
     * leader may still wait when the server is back.
     */
    public static Duration longestPause() {
        return ReconnectPauses.longest();
    }

    /**
     * Runs a script. The result fails with what {@link Failures} translates.
     *
     * @param subject what the request is about: in a Cluster, where one node may be dead while others answer, silence is noticed for
     *     each by itself. Over a server or Sentinels any reply shows that the connection is alive
     * @param script what to run
     * @param keys its keys
     * @param arguments its arguments
     */
    public CompletionStage<List<String>> run(String subject, LuaScript script, String[] keys, String... arguments) {
        return run(subject, script, keys, connection -> arguments);
    }

    /**
     * Runs a script with arguments that depend on the connection.
     *
     * @param subject what the request is about
     * @param script what to run
     * @param keys its keys
     * @param arguments called when the request is about to be sent, with the connection over which it goes
     */
    public CompletionStage<List<String>> run(
            String subject,
            LuaScript script,
            String[] keys,
            Function<StatefulConnection<String, String>, String[]> arguments) {
        return run(subject, script, keys, arguments, Acknowledgement.NONE).thenApply(ScriptReply::parts);
    }

    /**
     * Runs a script, and returns with its reply how many replicas have acknowledged its writes. In a Cluster no redirect is followed then,
     * since another node would count its own replicas.
     *
     * @param subject what the request is about
     * @param script what to run
     * @param keys its keys
     * @param arguments called when the request is about to be sent, with the connection over which it goes
     * @param wanted how many replicas are waited for
     */
    public CompletionStage<ScriptReply> run(
            String subject,
            LuaScript script,
            String[] keys,
            Function<StatefulConnection<String, String>, String[]> arguments,
            Acknowledgement wanted) {
        return connection().thenCompose(connection -> {
            Object server = connector.server(connection, keys[0]);
            String[] own = arguments.apply(connection);
            SilenceWatch.Request request =
                    silence.sent(connection, connector.node(connection, keys[0]), connector.source(subject));
            return commands(connection, keys[0], wanted)
                    .thenCompose(redis -> {
                        ReplicaWait replicas = new ReplicaWait(redis, wanted, ReplicaWait.limit(lease));
                        return script.run(redis, server, replicas::ask, keys, own)
                                .thenCompose(reply -> replicas.acknowledged(reply)
                                        .thenApply(count -> new ScriptReply(reply, count, connection)));
                    })
                    .handle((reply, failure) -> {
                        if (failure == null || Failures.isReply(failure)) {
                            request.answered();
                        } else {
                            request.failed();
                        }
                        if (failure != null) {
                            throw blame(connection, failure);
                        }
                        return reply;
                    });
        });
    }

    private CompletionStage<RedisClusterAsyncCommands<String, String>> commands(
            StatefulConnection<String, String> connection, String key, Acknowledgement wanted) {
        return wanted.expected() == 0
                ? CompletableFuture.completedFuture(commands(connection))
                : connector.ownerCommands(connection, key);
    }

    /** The connection; failed while there is none. */
    public CompletableFuture<StatefulConnection<String, String>> connection() {
        openOnce();
        return connections.current();
    }

    /**
     * Connects if that has not begun yet. Completes when the first attempt has led to a connection or has failed. The time until its first
     * packet is this process's own; after that a silent server is waited for as long again, or for a sixth of a lease if that is longer.
     */
    public CompletionStage<?> prepare() {
        long begun = System.nanoTime();
        Duration processor = processorTime();
        CompletableFuture<Boolean> outcome = connection().handle((connection, failure) -> failure == null);
        CompletionStage<Void> unused = connectTimeout.firstAttempt().thenRun(() -> {
            Duration took = Duration.ofNanos(System.nanoTime() - begun);
            Duration timeout = lease.dividedBy(6);
            boolean isSlow = took.compareTo(timeout) > 0;
            if (isSlow) {
                log.info(
                        "This process took {} to load what its first connection to Redis needs, with {} of processor time: check"
                                + " its CPU limit and the load of this host. Redis is not the reason",
                        ReadableDuration.of(took),
                        ReadableDuration.of(processorTime().minus(processor)));
            }
            outcome.completeOnTimeout(false, (isSlow ? took : timeout).toNanos(), TimeUnit.NANOSECONDS);
        });
        return outcome;
    }

    /** The time for which all threads of this process have run. */
    private static Duration processorTime() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** The commands of that connection. */
    public RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection) {
        return connector.commands(connection);
    }

    /** The thread that carries the connections. */
    public Executor thread() {
        return connectTimeout.reading();
    }

    /** For how long that connection has been in use without a break. */
    public Duration age(StatefulConnection<String, String> connection) {
        return connections.age(connection);
    }

    /** Whether a script may only touch keys of one slot. */
    public boolean isCluster() {
        return connector instanceof RedisConnector.Cluster;
    }

    /** The number of the database that the application uses. */
    public int database() {
        return redis.database();
    }

    /**
     * Channels for events over the same client, opened with it.
     *
     * @param afterReconnect told of each connection for requests but the first
     * @param refusal what to log where the server refuses them
     */
    public EventChannels events(BiConsumer<EventChannels, Replacement> afterReconnect, Refusal refusal) {
        EventChannels events = channels(refusal);
        opening = events::open;
        movingEvents = events::moved;
        reconnected = replacement -> afterReconnect.accept(events, replacement);
        return events;
    }

    /**
     * Channels over one more connection of the same client, which its user opens.
     *
     * @param refusal what to log where the server refuses them
     */
    public EventChannels furtherChannels(Refusal refusal) {
        EventChannels further = channels(refusal);
        Runnable movingOthers = movingEvents;
        Consumer<Replacement> tellingOthers = reconnected;
        movingEvents = () -> {
            movingOthers.run();
            further.moved();
        };
        reconnected = replacement -> {
            tellingOthers.accept(replacement);
            further.reopenIfOlderThan(replacement.sinceLoss());
        };
        return further;
    }

    private EventChannels channels(Refusal refusal) {
        return new EventChannels(
                connector, connecting, pauses(), connectTimeout, new IdleCheck(QUIET, signOfLife()), refusal);
    }

    /** Connects if that has not begun yet. */
    public void openOnce() {
        if (opened.get() || !opened.compareAndSet(false, true)) {
            return;
        }
        if (watch != null) {
            watch.open();
        }
        connections.open();
        opening.run();
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        connections.close();
        awaitAttempts();
        // An interrupt ends the wait for attempts, but not that for the threads: they would be left behind.
        boolean interrupted = Thread.interrupted();
        try {
            redis.close().run();
        } finally {
            threads.close();
            // What hangs even now has no thread left that could connect.
            connecting.interrupt();
            watching.interrupt();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Ends the attempts to connect that are under way. An attempt ends with its channel, or its connection is closed. An interrupted one
     * would connect all the same, and its connection would leak. It may have several channels yet to open, to Sentinels or members of a
     * Cluster: each of them ends as soon as it is opened.
     */
    private void awaitAttempts() {
        connecting.shutdown();
        watching.shutdown();
        connectTimeout.close(new StoreClosedException());
        asking.close();
        // The threads of the client, which end next, end what is still under way then.
        Duration timeout = lease.dividedBy(4).plusSeconds(1);
        try {
            if (!connecting.awaitEnd(timeout) || !watching.awaitEnd(timeout)) {
                log.debug("The store closes while an attempt to connect hangs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Classifies a failure, and gives up the connection if that is the reason. */
    public RuntimeException blame(StatefulConnection<String, String> connection, Throwable failure) {
        ClassifiedFailure classified = Failures.classified(failure);
        StoreProblem problem = classified.answer().problem();
        boolean wrongPlace = problem == StoreProblem.READ_ONLY
                || problem == StoreProblem.TOO_FEW_REPLICAS
                || problem == StoreProblem.CLUSTER_DOWN;
        if (wrongPlace || problem == StoreProblem.UNREACHABLE) {
            // The primary may be another one by now: look for it again. Until it is found, this remains what is wrong.
            RedisException reason = new RedisException("The connection was given up", classified);
            boolean isUseful = isCluster() ? !Failures.isMisplaced(failure) : Failures.isUnacknowledged(failure);
            if (isUseful) {
                // That of this slot. The others are still there, and their leaders must be able to renew.
                connections.replace(connection, reason);
            } else {
                connections.giveUp(connection, reason);
            }
        }
        return problem == StoreProblem.UNREACHABLE
                ? Failures.classified(connections.explain(connection, classified))
                : classified;
    }

    /** Called on the thread that connects only. */
    private StatefulConnection<String, String> connect() {
        StatefulConnection<String, String> connection = connector.connect();
        if (otherDatabase != null && connection instanceof StatefulRedisConnection<String, String> single) {
            select(single, otherDatabase);
        }
        return connection;
    }

    private void select(StatefulRedisConnection<String, String> connection, int database) {
        try {
            connection.async().select(database).get(connectTimeout.nanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            connection.close();
            throw new RedisException("Database " + database + " could not be selected", failure);
        } catch (InterruptedException interrupted) {
            connection.close();
            Thread.currentThread().interrupt();
            throw new RedisException("Database " + database + " could not be selected", interrupted);
        }
    }

    /** Called on the thread that connects only. */
    private void connected(StatefulConnection<String, String> connection) {
        if (!connector.isCurrent(connection)) {
            // The primary has moved since it was looked for.
            connections.giveUp(connection, moved());
            return;
        }
        if (connectedBefore) {
            reconnected.accept(new Replacement(connections.sinceLoss(), connections.usedSince()));
        }
        connectedBefore = true;
    }

    private void primaryMoved() {
        StatefulConnection<String, String> connection = connections.now();
        if (connection != null && !connector.isCurrent(connection)) {
            connections.giveUp(connection, moved());
        }
        movingEvents.run();
        connectTimeout.abandon(moved());
    }

    /** Longest wait for a sign of life: half a lease, as for a first reply, since a slow link is not a dead one. */
    private Duration signOfLife() {
        Duration half = lease.dividedBy(2);
        return half.compareTo(LONGEST_FOR_A_SIGN_OF_LIFE) < 0 ? half : LONGEST_FOR_A_SIGN_OF_LIFE;
    }

    private ReconnectPauses pauses() {
        return new ReconnectPauses(lease, mayLead);
    }

    private static RedisException moved() {
        return new RedisException("The Sentinels named another primary");
    }
}
