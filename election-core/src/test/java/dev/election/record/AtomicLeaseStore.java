package dev.election.record;

import dev.election.store.AnnounceReply;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.NodeEvent;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** A store in memory whose time is driven by hand. Answers at once, on the caller's thread. */
public final class AtomicLeaseStore implements LeaseStore, NodeMessaging {

    private static final int LEADERSHIPS_KEPT = 5;

    private final LongSupplier millis;
    private final LeaseRules rules = new LeaseRules(LEADERSHIPS_KEPT);
    private final Map<String, AtomicStore> elections = new ConcurrentHashMap<>();
    private final Map<String, List<Consumer<StoreEvent>>> listeners = new ConcurrentHashMap<>();
    private final Map<String, List<Consumer<NodeEvent>>> nodeListeners = new ConcurrentHashMap<>();

    public AtomicLeaseStore(LongSupplier millis) {
        this.millis = millis;
    }

    public AtomicStore of(String election) {
        return elections.computeIfAbsent(
                election, name -> new AtomicStore(millis, event -> publish(name, event), rules));
    }

    @Override
    public StoreTraits traits() {
        // It forgets nothing that its nodes know.
        return StoreTraits.ofServer("Memory", "prefix").settlingFor(Duration.ofMillis(50));
    }

    @Override
    public synchronized CompletionStage<CampaignReply> campaign(CampaignRequest request) {
        return CompletableFuture.completedFuture(
                of(request.candidate().election()).campaign(request));
    }

    @Override
    public synchronized CompletionStage<RenewReply> renew(RenewRequest request) {
        return CompletableFuture.completedFuture(
                of(request.candidate().election()).renew(request));
    }

    @Override
    public synchronized CompletionStage<ReleaseReply> release(ReleaseRequest request) {
        return CompletableFuture.completedFuture(
                of(request.candidate().election()).release(request));
    }

    @Override
    public synchronized CompletionStage<ReadReply> read(String election) {
        return CompletableFuture.completedFuture(new ReadReply.Read(of(election).view()));
    }

    @Override
    public Subscription listen(String election, Consumer<StoreEvent> listener) {
        List<Consumer<StoreEvent>> all = listeners.computeIfAbsent(election, name -> new CopyOnWriteArrayList<>());
        all.add(listener);
        listener.accept(new StoreEvent.Connected());
        return () -> all.remove(listener);
    }

    @Override
    public Optional<Eviction> eviction() {
        return Optional.of(this::evict);
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return Optional.of(this);
    }

    @Override
    public int leadershipsKept() {
        return LEADERSHIPS_KEPT;
    }

    private synchronized CompletionStage<EvictReply> evict(EvictRequest request) {
        return CompletableFuture.completedFuture(of(request.election()).evict(request));
    }

    @Override
    public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
        publish(election, new StoreEvent.Received(message));
        return CompletableFuture.completedFuture(new AnnounceReply.Announced());
    }

    @Override
    public CompletionStage<AnnounceReply> announceAs(String node, NodeEvent.Present present) {
        nodeListeners.getOrDefault(node, List.of()).forEach(listener -> listener.accept(present));
        return CompletableFuture.completedFuture(new AnnounceReply.Announced());
    }

    @Override
    public Subscription listenAs(String node, Consumer<NodeEvent> listener) {
        List<Consumer<NodeEvent>> all = nodeListeners.computeIfAbsent(node, id -> new CopyOnWriteArrayList<>());
        all.add(listener);
        listener.accept(new NodeEvent.Connected());
        return () -> all.remove(listener);
    }

    private void publish(String election, StoreEvent event) {
        listeners.getOrDefault(election, List.of()).forEach(listener -> listener.accept(event));
    }
}
