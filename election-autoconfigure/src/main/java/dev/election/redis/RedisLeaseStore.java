package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.lease.CampaignReply;
import dev.election.lease.CampaignRequest;
import dev.election.lease.Candidate;
import dev.election.lease.Hint;
import dev.election.lease.LeaseStore;
import dev.election.lease.NoAnswer;
import dev.election.lease.ReleaseReply;
import dev.election.lease.ReleaseRequest;
import dev.election.lease.RenewReply;
import dev.election.lease.RenewRequest;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases in Redis 6.2 or newer: a server, Sentinels or a Cluster. Uses two connections of its own, one for requests and one
 * for hints, and opens them again by itself. Every request is one script and so one round trip.
 */
public final class RedisLeaseStore implements LeaseStore, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RedisLeaseStore.class);

    private final Duration timeout;
    private final ElectionKeys keys;
    private final ScriptSet scripts;
    private final ClientResources resources;
    private final RedisAccess.Opened redis;
    private final RedisConnector connector;
    private final ScheduledThreadPoolExecutor worker;
    private final Lifeline<StatefulConnection<String, String>> requests;
    private final HintChannels hints;
    private final @Nullable PrimaryWatch primary;
    private final ScheduledThreadPoolExecutor sentinelWorker;

    /**
     * When a server last said anything of an election, by its lease key: tells a slow request from a connection that is dead. Not
     * for all elections together, since in a Cluster one node may be dead while others answer.
     */
    private final Map<String, Long> heardAt = new ConcurrentHashMap<>();

    /** On the worker only: how often the primary had moved when the connection was looked for. */
    private long movesBefore;

    private boolean connectedBefore;

    RedisLeaseStore(RedisAccess access, String keyPrefix, Duration timeout, ScriptSet scripts) {
        this.timeout = timeout;
        this.scripts = scripts;
        this.resources = RedisAccess.resources();
        this.redis = access.open(resources, timeout);
        this.keys = new ElectionKeys(keyPrefix, redis.database());
        this.connector = RedisConnector.of(redis.client());
        this.worker = worker("election-redis");
        this.sentinelWorker = worker("election-sentinels");
        this.requests = new Lifeline<>(this::connect, this::connected, worker);
        this.hints = new HintChannels(connector::connectPubSub, worker);
        this.primary = redis.client() instanceof RedisClient client
                ? new PrimaryWatch(redis.sentinels(), client, this::primaryMoved, sentinelWorker)
                : null;
        if (primary != null) {
            primary.open();
        }
        requests.open();
        hints.open();
    }

    /**
     * Opens the store. Returns at once, whether Redis can be reached or not.
     *
     * @param access how to reach Redis
     * @param keyPrefix what all keys and channels begin with
     * @param shortestLease the shortest lease of the elections in this store: a request is given up after an eighth of it
     */
    public static RedisLeaseStore open(RedisAccess access, String keyPrefix, Duration shortestLease) {
        return new RedisLeaseStore(access, keyPrefix, shortestLease.dividedBy(8), ScriptSet.load());
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        Candidate candidate = request.candidate();
        String election = candidate.election();
        return ask(
                scripts.campaign(),
                Replies::campaign,
                noAnswer -> noAnswer,
                new String[] {
                    keys.lease(election),
                    keys.term(election),
                    keys.hold(election),
                    keys.line(election),
                    keys.pulse(election)
                },
                candidate.candidacy(),
                candidate.node(),
                candidate.address(),
                millis(request.lease()),
                Long.toString(request.seen()),
                millis(request.settle()),
                keys.events(election));
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        Candidate candidate = request.candidate();
        String election = candidate.election();
        return ask(
                scripts.renew(),
                Replies::renew,
                noAnswer -> noAnswer,
                new String[] {keys.lease(election), keys.term(election), keys.hold(election), keys.line(election)},
                candidate.candidacy(),
                candidate.node(),
                candidate.address(),
                millis(request.lease()),
                request.token().toString(),
                Long.toString(request.since().toEpochMilli()),
                Long.toString(request.expiry().toEpochMilli()),
                keys.events(election));
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        Candidate candidate = request.candidate();
        String election = candidate.election();
        ReleaseRequest.Grant grant = request.grant();
        return ask(
                scripts.release(),
                Replies::release,
                noAnswer -> noAnswer,
                new String[] {
                    keys.lease(election),
                    keys.term(election),
                    keys.hold(election),
                    keys.line(election),
                    keys.pulse(election)
                },
                candidate.candidacy(),
                grant == null ? "" : grant.token().toString(),
                grant == null ? "0" : Long.toString(grant.expiry().toEpochMilli()),
                request.successor() == null ? "" : request.successor(),
                millis(request.reserve()),
                keys.events(election),
                millis(request.lease()));
    }

    @Override
    public Subscription listen(String election, Consumer<Hint> listener) {
        return hints.listen(keys.events(election), listener);
    }

    @Override
    public void close() {
        if (primary != null) {
            primary.close();
        }
        hints.close();
        requests.close();
        awaitAttempts();
        redis.close().run();
        Future<Boolean> ended = resources.shutdown(0, 1, TimeUnit.SECONDS);
        try {
            ended.get(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            log.debug("The threads of the Redis client end later", e);
        }
    }

    /**
     * An attempt to connect that is under way is let through, and its connection closed. Interrupted, it would connect all the
     * same, and nobody would know of that connection.
     */
    private void awaitAttempts() {
        worker.shutdown();
        sentinelWorker.shutdown();
        // To connect, and to shake hands.
        long patience = timeout.multipliedBy(2).plusSeconds(1).toMillis();
        try {
            if (!worker.awaitTermination(patience, TimeUnit.MILLISECONDS)
                    || !sentinelWorker.awaitTermination(patience, TimeUnit.MILLISECONDS)) {
                log.debug("The store closes while an attempt to connect hangs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private <T> CompletionStage<T> ask(
            LuaScript script,
            Function<List<String>, T> read,
            Function<NoAnswer, T> failed,
            String[] names,
            String... arguments) {
        return requests.current()
                .thenCompose(connection -> {
                    long sentAt = System.nanoTime();
                    return script.run(connector.commands(connection), names, arguments)
                            .whenComplete((reply, failure) -> watch(connection, names[0], sentAt, failure));
                })
                .thenApply(read)
                .exceptionally(failure -> failed.apply(Failures.noAnswer(failure)));
    }

    private void watch(
            StatefulConnection<String, String> connection, String lease, long sentAt, @Nullable Throwable failure) {
        if (failure == null) {
            heardAt.put(lease, System.nanoTime());
            return;
        }
        StoreProblem problem = Failures.noAnswer(failure).problem();
        boolean silent = problem == StoreProblem.TIMED_OUT && heardAt.getOrDefault(lease, sentAt - 1) - sentAt < 0;
        boolean wrongPlace = problem == StoreProblem.READ_ONLY
                || problem == StoreProblem.TOO_FEW_REPLICAS
                || problem == StoreProblem.CLUSTER_DOWN;
        if (silent || wrongPlace || problem == StoreProblem.UNREACHABLE) {
            // The primary may be another one by now: look for it again. Until it is found, this remains what is wrong.
            requests.giveUp(connection, new RedisException("The connection was given up", failure));
        }
    }

    /** On the worker only. */
    private StatefulConnection<String, String> connect() {
        movesBefore = moves();
        return connector.connect();
    }

    /** On the worker only. */
    private void connected(StatefulConnection<String, String> connection) {
        if (moves() != movesBefore) {
            // It may lead to the old primary, and nobody will say so again.
            requests.giveUp(connection, moved());
            return;
        }
        if (connectedBefore) {
            hints.reopen();
            hints.tellAll(new Hint.Connected());
        }
        connectedBefore = true;
    }

    private long moves() {
        return primary == null ? 0 : primary.moves();
    }

    private void primaryMoved() {
        StatefulConnection<String, String> connection = requests.now();
        if (connection != null) {
            requests.giveUp(connection, moved());
        }
    }

    private static RedisException moved() {
        return new RedisException("The Sentinels named another primary");
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }

    /** One thread for connecting, which blocks; it is gone while there is nothing to connect. */
    private static ScheduledThreadPoolExecutor worker(String name) {
        ScheduledThreadPoolExecutor worker = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        worker.setKeepAliveTime(5, TimeUnit.SECONDS);
        worker.allowCoreThreadTimeOut(true);
        worker.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        return worker;
    }
}
