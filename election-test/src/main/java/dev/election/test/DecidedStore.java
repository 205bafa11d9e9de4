package dev.election.test;

import dev.election.FencingToken;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.MemberStore;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreRequest;
import dev.election.store.test.InMemoryMessaging;
import dev.election.store.test.InMemoryRecordStore;
import dev.election.support.PartitionName;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * A store in memory, by the rules of all stores, whose grants the test decides: this node is granted the lease once for each decision that it
 * leads, other nodes at once, and nobody else. All methods but {@link #read} and {@link #listen} are called on the loop.
 */
final class DecidedStore extends ForwardingLeaseStore {

    /** The reply until the test decides. The candidate need not ask before: {@link #lead} notifies it. */
    private static final CampaignReply NOT_YET = new CampaignReply.Wait(Duration.ofDays(365), 0);

    private final Duration lease;

    /** The elections of which this node is granted the lease when it next asks. */
    private final Set<String> decided = new HashSet<>();

    /** The latest holder of the lease of each election. */
    private final Map<String, Candidate> holders = new HashMap<>();

    private final Map<String, Consumer<StoreEvent>> listeners = new ConcurrentHashMap<>();

    private final Optional<MemberStore> members = super.memberStore().map(new InMemoryMessaging()::with);

    /**
     * Creates the store.
     *
     * @param lease how long the leases of other nodes last
     */
    DecidedStore(StandingClock clock, Duration lease) {
        super(new RecordLeaseStore(
                InMemoryRecordStore.withClock(clock::millis), "", new LeaseRules(0), clock::nanos, clock::millis));
        this.lease = lease;
    }

    /** Lets this node lead, in place of any leader before. */
    void lead(String election) {
        free(election);
        decided.add(election);
        Consumer<StoreEvent> listener = listeners.get(election);
        if (listener != null) {
            // Lets a follower ask.
            listener.accept(new StoreEvent.Connected());
        }
    }

    /** Lets another node lead, in place of any leader before. */
    void lead(String election, NodeInfo other) {
        free(election);
        Candidate candidate = new Candidate(election, UUID.randomUUID().toString(), other);
        CompletionStage<CampaignReply> unused = grant(new CampaignRequest(candidate, lease, 0, Duration.ZERO));
    }

    /** Ends the lease of its holder. */
    void free(String election) {
        decided.remove(election);
        Candidate holder = holders.remove(election);
        if (holder != null) {
            CompletionStage<ReleaseReply> unused = release(new ReleaseRequest(holder, null, lease, LossReason.EXPIRED));
        }
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        return requests.stream().<CompletionStage<?>>map(this::reply).toList();
    }

    private CompletionStage<?> reply(StoreRequest<?> request) {
        return request instanceof CampaignRequest campaign ? decide(campaign) : forward(request);
    }

    private CompletionStage<CampaignReply> decide(CampaignRequest request) {
        String election = request.candidate().election();
        if (decided.remove(election)) {
            return grant(new CampaignRequest(request.candidate(), request.lease(), request.seen(), Duration.ZERO));
        }
        return read(election).thenCompose(reply -> isHeld(reply) ? forward(request) : completed(NOT_YET));
    }

    /** Lets the store have the number of partitions of each group, as if an earlier leader had written it. */
    void keep(Map<String, Integer> counts) {
        LedgerStore ledgers = ledgerStore().orElseThrow().beside(PartitionName.LEDGER);
        FencingToken earlier = new FencingToken(1);
        counts.forEach((group, count) -> {
            String first = PartitionName.of(group, 0);
            CompletionStage<?> unused = ledgers.open(first, earlier)
                    .thenCompose(opened ->
                            ledgers.write(first, earlier, Map.of(PartitionName.COUNT, count.toString()), Set.of()));
        });
    }

    /** Any number of partitions costs nothing here. */
    @Override
    public boolean sendsTogether() {
        return true;
    }

    @Override
    public Optional<MemberStore> memberStore() {
        return members;
    }

    @Override
    public Subscription listen(String election, Consumer<StoreEvent> listener) {
        listeners.put(election, listener);
        return super.listen(election, listener);
    }

    /** Grants the lease. Before its first grant the store waits for a living leader to renew, here for no time: so a second request follows. */
    private CompletionStage<CampaignReply> grant(CampaignRequest request) {
        holders.put(request.candidate().election(), request.candidate());
        return forward(request)
                .thenCompose(reply -> reply instanceof CampaignReply.Wait ? forward(request) : completed(reply));
    }

    private static boolean isHeld(ReadReply reply) {
        return reply instanceof ReadReply.Read read && read.view().leader().isPresent();
    }

    private static CompletionStage<CampaignReply> completed(CampaignReply reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
