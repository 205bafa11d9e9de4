package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.store.AnnounceReply;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EventText;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.Logbook;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreTraits;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leases in Redis 6.2 or newer: a server, Sentinels or a Cluster. Uses two connections of its own, one for requests and one
 * for events, and opens them again by itself. One that was silent and has been replaced is kept for a lease at most, since it may still
 * answer. Every request is one script and so one round trip.
 *
 * <p>Connects when it is first asked, not when it is made: to connect for the first time takes a quarter of a second of processor
 * time, which an application that is starting needs for itself.
 */
public final class RedisLeaseStore implements LeaseStore, AutoCloseable {

    /** How many leaderships of each election are remembered unless said. */
    public static final int DEFAULT_HISTORY = 100;

    private static final StoreTraits TRAITS = StoreTraits.ofServer("Redis");

    private static final Logger log = LoggerFactory.getLogger(RedisLeaseStore.class);

    private final String history;
    private final SettleTime settleTime;
    private final ElectionKeys keys;
    private final ScriptSet scripts;
    private final LuaScript optionalCheck = LuaScript.load("optional-check");
    private final Duration lease;
    private final HeldLeases held = new HeldLeases();
    private final ConnectPatience connectPatience;
    private final ClientThreads threads;
    private final OpenedClient redis;
    private final RedisConnector connector;
    private final ConnectThread connecting;
    private final ReconnectingConnection<StatefulConnection<String, String>> requests;
    private final SilenceWatch silence;
    private final EventChannels events;
    private final @Nullable PrimaryWatch primary;
    private final ConnectThread watching;

    private final AtomicBoolean opened = new AtomicBoolean();

    /** How often the primary had moved when the connection was looked for. */
    private volatile long movesBefore;

    private volatile boolean connectedBefore;

    RedisLeaseStore(
            RedisAccess access,
            String keyPrefix,
            Duration shortestLease,
            int history,
            SettleTime settleTime,
            ScriptSet scripts) {
        this.lease = shortestLease;
        this.history = Integer.toString(history);
        this.settleTime = settleTime;
        this.scripts = scripts;
        this.connectPatience = new ConnectPatience(lease);
        this.threads = new ClientThreads(connectPatience);
        this.redis = access.open(new ClientSettings(threads.resources(), connectPatience.longest(), lease));
        this.keys = new ElectionKeys(keyPrefix, redis.database());
        this.connector = RedisConnector.of(redis.client());
        // One for each connection: an attempt that hangs must not hold up the other.
        this.connecting = new ConnectThread("election-redis", 2);
        this.requests = new ReconnectingConnection<>(
                this::connect, this::connected, connecting, pauses(), connectPatience, lease);
        this.silence = new SilenceWatch(
                requests,
                new ReplyPatience(lease, held::mayBeValid),
                threads.resources().timer());
        this.events = new EventChannels(connector::connectPubSub, connecting, pauses(), connectPatience);
        List<RedisURI> sentinels = redis.watched().nodes();
        this.watching = new ConnectThread("election-sentinels", Math.max(1, sentinels.size()));
        this.primary = redis.client() instanceof RedisClient client && !sentinels.isEmpty()
                ? new PrimaryWatch(redis.watched(), client, this::primaryMoved, watching, lease, held::mayBeValid)
                : null;
    }

    /**
     * Makes the store. Returns at once, whether Redis can be reached or not.
     *
     * @param access how to reach Redis
     * @param keyPrefix what all keys and channels begin with
     * @param shortestLease the shortest lease of the elections in this store: a connection on which nothing is answered for an
     *     eighth of it is replaced, and a reply is waited for as long as it lasts
     */
    public static RedisLeaseStore open(RedisAccess access, String keyPrefix, Duration shortestLease) {
        return open(access, keyPrefix, shortestLease, DEFAULT_HISTORY, SettleTime.AS_NEEDED);
    }

    /**
     * The same with another length of the history and another settle time.
     *
     * @param history how many leaderships of each election are remembered, 0 for none
     * @param settleTime how long a Redis without any record of an election grants nothing
     */
    public static RedisLeaseStore open(
            RedisAccess access, String keyPrefix, Duration shortestLease, int history, SettleTime settleTime) {
        return new RedisLeaseStore(access, keyPrefix, shortestLease, history, settleTime, ScriptSet.load());
    }

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        long sentAt = System.nanoTime();
        Candidate candidate = request.candidate();
        String election = candidate.election();
        return ask(keys.lease(election), scripts.campaign(), keys.all(election), connection -> new String[] {
                    candidate.candidacy(),
                    candidate.node().text(),
                    millis(request.lease()),
                    Long.toString(request.seen()),
                    keys.events(election),
                    history,
                    millis(settleTime.running(request)),
                    millis(settleTime.restarted(request)),
                    millis(requests.age(connection))
                })
                .<CampaignReply>thenApply(Replies::campaign)
                .thenApply(reply -> held.see(reply, sentAt, request.lease()))
                .exceptionally(Failures::noAnswer);
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        long sentAt = System.nanoTime();
        Candidate candidate = request.candidate();
        String election = candidate.election();
        return ask(
                        scripts.renew(),
                        election,
                        candidate.candidacy(),
                        candidate.node().text(),
                        millis(request.lease()),
                        request.token().toString(),
                        Long.toString(request.since().toEpochMilli()),
                        Long.toString(request.expiry().toEpochMilli()),
                        keys.events(election),
                        history)
                .<RenewReply>thenApply(Replies::renew)
                .thenApply(reply -> held.see(reply, sentAt, request.lease()))
                .exceptionally(Failures::noAnswer);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        Candidate candidate = request.candidate();
        String election = candidate.election();
        ReleaseRequest.Grant grant = request.grant();
        return ask(
                        scripts.release(),
                        election,
                        candidate.candidacy(),
                        grant == null ? "" : grant.token().toString(),
                        grant == null ? "0" : Long.toString(grant.expiry().toEpochMilli()),
                        request.successor() == null ? "" : request.successor(),
                        millis(request.reserve()),
                        keys.events(election),
                        millis(request.lease()),
                        request.reason().name())
                .<ReleaseReply>thenApply(Replies::release)
                .exceptionally(Failures::noAnswer);
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return ask(scripts.read(), election).<ReadReply>thenApply(Replies::read).exceptionally(Failures::noAnswer);
    }

    @Override
    public Subscription listen(String election, Consumer<StoreEvent> listener) {
        openOnce();
        return events.listen(keys.events(election), listener);
    }

    @Override
    public Optional<Eviction> eviction() {
        return Optional.of(this::evict);
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return Optional.of(this::announce);
    }

    /** Kept beside the leases and over the same connection. */
    @Override
    public Optional<Logbook> logbook() {
        return Optional.of(new RedisLogbook(this::ask, keys, this::listen));
    }

    /** Looks at the server, by the connection that the elections use; fails if there is none. */
    public CompletionStage<RedisVitals> checkUp() {
        return connection().thenCompose(connection -> new CheckUp(connector.commands(connection)).run());
    }

    /**
     * Which commands the Redis user may not run of those that the elections can do without, at a cost. Changes nothing; fails while
     * nothing can be said.
     *
     * @param election the name of an election, whose keys it is tried on
     */
    public CompletionStage<Set<String>> refusedCommands(String election) {
        return ask(optionalCheck, election, keys.events(election), history).thenApply(OptionalCommands::refused);
    }

    @Override
    public void close() {
        if (primary != null) {
            primary.close();
        }
        events.close();
        requests.close();
        awaitAttempts();
        redis.close().run();
        threads.close();
    }

    /**
     * An attempt to connect that is under way is ended by its channel, or let through and its connection closed. Interrupted, it
     * would connect all the same, and nobody would know of that connection.
     */
    private void awaitAttempts() {
        connecting.shutdown();
        watching.shutdown();
        connectPatience.abandon(new RedisException("The store is closed"));
        // The threads of the client, which end next, end what is still under way then.
        Duration patience = lease.dividedBy(4).plusSeconds(1);
        try {
            if (!connecting.awaitEnd(patience) || !watching.awaitEnd(patience)) {
                log.debug("The store closes while an attempt to connect hangs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private CompletionStage<EvictReply> evict(EvictRequest request) {
        String election = request.election();
        return ask(
                        scripts.evict(),
                        election,
                        request.token().toString(),
                        request.successor() == null ? "" : request.successor(),
                        millis(request.reserve()),
                        keys.events(election),
                        millis(request.cooldown()))
                .<EvictReply>thenApply(Replies::evict)
                .exceptionally(Failures::noAnswer);
    }

    private CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
        return connection()
                .thenCompose(connection ->
                        connector.commands(connection).publish(keys.events(election), EventText.write(message)))
                .<AnnounceReply>thenApply(listeners -> new AnnounceReply.Announced())
                .exceptionally(Failures::noAnswer);
    }

    private CompletableFuture<StatefulConnection<String, String>> connection() {
        openOnce();
        return requests.current();
    }

    private void openOnce() {
        if (opened.get() || !opened.compareAndSet(false, true)) {
            return;
        }
        if (primary != null) {
            primary.open();
        }
        requests.open();
        events.open();
    }

    /** Runs a script of the protocol. */
    private CompletionStage<List<String>> ask(LuaScript script, String election, String... arguments) {
        String[] names = keys.all(election);
        return ask(names[0], script, names, arguments);
    }

    /** Runs a script for the election with that lease key. */
    private CompletionStage<List<String>> ask(String lease, LuaScript script, String[] names, String... arguments) {
        return ask(lease, script, names, connection -> arguments);
    }

    private CompletionStage<List<String>> ask(
            String lease,
            LuaScript script,
            String[] names,
            Function<StatefulConnection<String, String>, String[]> arguments) {
        return connection().thenCompose(connection -> {
            SilenceWatch.Request request = silence.sent(connection, lease);
            return script.run(connector.commands(connection), names, arguments.apply(connection))
                    .handle((reply, failure) -> {
                        if (failure != null) {
                            request.failed();
                            throw blame(connection, failure);
                        }
                        request.answered();
                        return reply;
                    });
        });
    }

    /** Gives the connection up if that is what is wrong, and says what is. */
    private ClassifiedFailure blame(StatefulConnection<String, String> connection, Throwable failure) {
        ClassifiedFailure classified = Failures.classified(failure);
        StoreProblem problem = classified.answer().problem();
        boolean wrongPlace = problem == StoreProblem.READ_ONLY
                || problem == StoreProblem.TOO_FEW_REPLICAS
                || problem == StoreProblem.CLUSTER_DOWN;
        if (wrongPlace || problem == StoreProblem.UNREACHABLE) {
            // The primary may be another one by now: look for it again. Until it is found, this remains what is wrong.
            requests.giveUp(connection, new RedisException("The connection was given up", classified));
        }
        return problem == StoreProblem.UNREACHABLE
                ? Failures.classified(requests.explain(connection, classified))
                : classified;
    }

    /** On the thread that connects only. */
    private StatefulConnection<String, String> connect() {
        movesBefore = moves();
        return connector.connect();
    }

    /** On the thread that connects only. */
    private void connected(StatefulConnection<String, String> connection) {
        if (moves() != movesBefore) {
            // It may lead to the old primary, and nobody will say so again.
            requests.giveUp(connection, moved());
            return;
        }
        if (connectedBefore) {
            events.reopen();
            events.tellAll(new StoreEvent.Connected(true));
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
        connectPatience.abandon(moved());
    }

    private ReconnectPauses pauses() {
        return new ReconnectPauses(lease, held::mayBeValid);
    }

    private static RedisException moved() {
        return new RedisException("The Sentinels named another primary");
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
