package dev.election.redis;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.redis.RedisSettings.Names;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.events.ChannelListener;
import dev.election.redis.internal.events.EventChannels;
import dev.election.redis.internal.events.Refusal;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.redis.internal.requests.Replacement;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EventText;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreRequest;
import dev.election.store.StoreTraits;
import dev.election.support.OneLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Lease store in Redis 6.2 or newer: a server, Sentinels or a Cluster. Uses two connections of its own, one for requests and one for
 * events, and a third for messages between members where there are any, and opens them again by itself. Every request is one script and so
 * one round trip; requests that are made together share one. Connects at the first request, not when it is created.
 */
public final class RedisLeaseStore implements LeaseStore, AutoCloseable {

    /**
     * Settle time as needed: a leader connects to a server that is back after the longest pause at the latest. The rest is for an attempt,
     * its renewal, and a busy machine.
     */
    private static final Duration COMEBACK = RedisRequests.longestPause().plusMillis(500);

    private static final Duration LONGEST_LEASE = Duration.ofDays(1);

    private static final String WITHOUT_EVENTS =
            "Changes of leader are noticed up to one lease later, and remote requests to abdicate are not received";

    private final String location;
    private final RedisSettings settings;
    private final StoreTraits traits;
    private final ElectionKeys keys;
    private final LuaScript optionalCheck = LuaScript.load("optional-check");
    private final LuaScript probe = LuaScript.load("probe");
    private final HeldLeases held = new HeldLeases();
    private final RedisRequests requests;
    private final Acknowledgements acknowledgements;
    private final ProtocolRequests protocol;
    private final LedgerOpenings openings;
    private final EventChannels events;
    private final NodeMessaging messaging;
    private final RedisMembers members;

    RedisLeaseStore(RedisAccess access, Duration shortestLease, RedisSettings settings, ScriptSet scripts) {
        this.settings = settings;
        this.traits = traits(settings);
        this.requests = RedisRequests.open(access, shortestLease, held::mayBeValid);
        this.keys = new ElectionKeys(settings.keySpace(), requests.database());
        this.location = "Redis (" + access.address() + "), database " + requests.database() + ", "
                + settings.keySpace().described();
        this.acknowledgements = new Acknowledgements(settings.replicas());
        this.protocol = new ProtocolRequests(requests, keys, scripts, acknowledgements);
        this.openings = new LedgerOpenings(
                new ProtocolRequests(requests, keys, ScriptSet.ofLedgers(), acknowledgements),
                requests.thread(),
                sendsTogether());
        Names names = settings.names();
        this.events = requests.events(RedisLeaseStore::reopen, new Refusal(WITHOUT_EVENTS, names.keyPrefix()));
        Publisher publisher = new Publisher(requests, names);
        this.messaging = (election, message) -> publisher.publish(keys.events(election), EventText.write(message));
        this.members = new RedisMembers(requests, protocol, keys, events, names);
    }

    /** Returns the traits of a store with these settings. */
    public static StoreTraits traits(RedisSettings settings) {
        return StoreTraits.ofServer("Redis", settings.names().keyPrefix())
                .settlingFor(settings.settleTime() == SettleTime.WHOLE_LEASE ? LONGEST_LEASE : COMEBACK);
    }

    /**
     * Creates the store. Returns at once, whether Redis can be reached or not.
     *
     * @param access how to reach Redis
     * @param keyPrefix what all keys and channels begin with
     * @param shortestLease the shortest lease of the elections in this store: a connection on which nothing is answered for an
     *     eighth of it is replaced (half of it before the first reply, and never longer than ten seconds), and a reply is waited for as long as it lasts
     */
    public static RedisLeaseStore open(RedisAccess access, String keyPrefix, Duration shortestLease) {
        return open(access, shortestLease, RedisSettings.of(RedisKeySpace.of(keyPrefix)));
    }

    /** Creates the store with other settings. */
    public static RedisLeaseStore open(RedisAccess access, Duration shortestLease, RedisSettings settings) {
        return new RedisLeaseStore(access, shortestLease, settings, ScriptSet.load(settings.replicas()));
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<?> prepare() {
        return requests.prepare();
    }

    @Override
    public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        return alone(batch -> campaign(request, batch));
    }

    @Override
    public CompletionStage<RenewReply> renew(RenewRequest request) {
        return alone(batch -> renew(request, batch));
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return alone(batch -> release(request, batch));
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        ProtocolRequests.RequestBatch batch = protocol.batch();
        List<CompletionStage<?>> replies = requests.stream()
                .<CompletionStage<?>>map(request -> ask(request, batch))
                .toList();
        batch.send();
        return replies;
    }

    /** Without a hash tag the elections of a Cluster are on different servers. */
    @Override
    public boolean sendsTogether() {
        return !requests.isCluster() || !settings.keySpace().hashTag().isEmpty();
    }

    private <R> CompletionStage<R> alone(Function<ProtocolRequests.RequestBatch, CompletionStage<R>> request) {
        ProtocolRequests.RequestBatch batch = protocol.batch();
        CompletionStage<R> reply = request.apply(batch);
        batch.send();
        return reply;
    }

    private CompletionStage<?> ask(StoreRequest<?> request, ProtocolRequests.RequestBatch batch) {
        if (request instanceof CampaignRequest campaign) {
            return campaign(campaign, batch);
        }
        if (request instanceof RenewRequest renewal) {
            return renew(renewal, batch);
        }
        return request instanceof BeatRequest beat
                ? members.beat(beat, batch)
                : release((ReleaseRequest) request, batch);
    }

    private CompletionStage<CampaignReply> campaign(CampaignRequest request, ProtocolRequests.RequestBatch batch) {
        long sentAt = System.nanoTime();
        Candidate candidate = request.candidate();
        String election = candidate.election();
        Duration settle = request.settle();
        return batch.ask(ProtocolScript.CAMPAIGN, election, connection -> new String[] {
                    candidate.candidacy(),
                    candidate.node().text(),
                    millis(request.lease()),
                    Long.toString(request.seen()),
                    keys.events(election),
                    history(),
                    settle == null ? "" : millis(settle),
                    millis(requests.age(connection))
                })
                .<CampaignReply>thenApply(Replies::campaign)
                .thenApply(reply -> held.see(reply, sentAt, request.lease()))
                .exceptionally(failure -> noAnswer(election, failure));
    }

    private CompletionStage<RenewReply> renew(RenewRequest request, ProtocolRequests.RequestBatch batch) {
        long sentAt = System.nanoTime();
        Candidate candidate = request.candidate();
        String election = candidate.election();
        String[] arguments = {
            candidate.candidacy(),
            candidate.node().text(),
            millis(request.lease()),
            request.token().toString(),
            Long.toString(request.since().toEpochMilli()),
            Long.toString(request.expiry().toEpochMilli()),
            keys.events(election),
            history()
        };
        return batch.ask(ProtocolScript.RENEW, election, connection -> arguments)
                .<RenewReply>thenApply(Replies::renew)
                .thenApply(reply -> held.see(reply, sentAt, request.lease()))
                .exceptionally(failure -> noAnswer(election, failure));
    }

    private CompletionStage<ReleaseReply> release(ReleaseRequest request, ProtocolRequests.RequestBatch batch) {
        Candidate candidate = request.candidate();
        String election = candidate.election();
        ReleaseRequest.Grant grant = request.grant();
        String[] arguments = {
            candidate.candidacy(),
            grant == null ? "" : grant.token().toString(),
            grant == null ? "0" : Long.toString(grant.expiry().toEpochMilli()),
            request.successor() == null ? "" : request.successor(),
            millis(request.reserve()),
            keys.events(election),
            millis(request.lease()),
            request.reason().name(),
            requestedBy(request.how())
        };
        return batch.ask(ProtocolScript.RELEASE, election, connection -> arguments)
                .<ReleaseReply>thenApply(Replies::release)
                .exceptionally(failure -> noAnswer(election, failure));
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return protocol.ask(ProtocolScript.READ, election)
                .<ReadReply>thenApply(Replies::read)
                .exceptionally(failure -> noAnswer(election, failure));
    }

    @Override
    public Subscription listen(String election, Consumer<StoreEvent> listener) {
        requests.openOnce();
        return events.listen(
                keys.events(election),
                new ChannelListener<>(
                        EventText::read,
                        StoreEvent.Connected::new,
                        StoreEvent.Connected::anew,
                        Optional.of(new StoreEvent.Refused()),
                        listener));
    }

    @Override
    public Optional<Eviction> eviction() {
        return Optional.of(this::evict);
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return Optional.of(messaging);
    }

    @Override
    public Optional<MemberStore> memberStore() {
        return Optional.of(members);
    }

    /** Returns the ledgers of this Redis, over the same connection. */
    @Override
    public Optional<LedgerStore> ledgerStore() {
        return Optional.of(new RedisLedgerStore(requests, openings, keys, this::listen));
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public int leadershipsKept() {
        return settings.history();
    }

    /** Examines the server over the connection of the elections; fails if there is none. */
    public CompletionStage<RedisVitals> checkUp() {
        String anyKey = keys.lease(Election.DEFAULT);
        return requests.connection().thenCompose(connection -> new RedisCheckUp(
                        requests.commands(connection),
                        () -> requests.run(anyKey, probe, new String[] {anyKey}).thenApply(ScriptProbe::parse))
                .run());
    }

    /**
     * Returns the commands that the elections can do without, at a cost, and that the Redis user may not run. Changes nothing; fails
     * without a connection, or while the election has no record.
     *
     * @param election the name of an election, on whose keys the commands are tried
     */
    public CompletionStage<Set<String>> refusedCommands(String election) {
        return requests.run(keys.lease(election), optionalCheck, keys.all(election), keys.events(election), history())
                .thenApply(OptionalCommands::refused);
    }

    /**
     * Returns the commands that the Redis user may not run and without which no replica can acknowledge anything; empty if none has to.
     * Fails if there is no connection.
     */
    public CompletionStage<Set<String>> refusedForAcknowledgements() {
        return requests.connection().thenCompose(connection -> acknowledgements.refused(requests.commands(connection)));
    }

    @Override
    public void close() {
        members.close();
        events.close();
        requests.close();
    }

    private CompletionStage<EvictReply> evict(EvictRequest request) {
        String election = request.election();
        return protocol.ask(
                        ProtocolScript.EVICT,
                        election,
                        request.token().toString(),
                        request.successor() == null ? "" : request.successor(),
                        millis(request.reserve()),
                        keys.events(election),
                        millis(request.cooldown()),
                        requestedBy(request.how()))
                .<EvictReply>thenApply(Replies::evict)
                .exceptionally(failure -> noAnswer(election, failure));
    }

    private static String requestedBy(Abdication how) {
        return how.requestedBy() == null ? "" : OneLine.escaped(how.requestedBy());
    }

    private NoAnswer noAnswer(String election, Throwable failure) {
        return settings.names()
                .noAnswer(failure, keys.lease(election) + ", :epoch, :lock-delay, :queue and :queue-expiry");
    }

    private String history() {
        return Integer.toString(settings.history());
    }

    /** Reopens the channels if they are older than the loss, and notifies their listeners. Called on the thread that connects only. */
    private static void reopen(EventChannels events, Replacement replacement) {
        events.reopenIfOlderThan(replacement.sinceLoss());
        events.tellAll(replacement.usedSince());
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
