package dev.election.record;

import dev.election.store.AnnounceReply;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.LeaveReply;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
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
    private final int leadershipsKept;
    private final LeaseRules rules;
    private final Map<String, AtomicStore> elections = new ConcurrentHashMap<>();
    private final Map<String, List<Consumer<StoreEvent>>> listeners = new ConcurrentHashMap<>();
    private final List<Consumer<MemberNews>> memberListeners = new CopyOnWriteArrayList<>();
    private final AtomicMembers members;

    public AtomicLeaseStore(LongSupplier millis) {
        this(millis, LEADERSHIPS_KEPT);
    }

    public AtomicLeaseStore(LongSupplier millis, int leadershipsKept) {
        this.leadershipsKept = leadershipsKept;
        this.rules = new LeaseRules(leadershipsKept);
        this.millis = millis;
        this.members = new AtomicMembers(millis, this::publish);
    }

    public AtomicMembers members() {
        return members;
    }

    /** As anybody can who may publish. */
    public void publish(MemberNews news) {
        memberListeners.forEach(listener -> listener.accept(news));
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
    public Optional<MemberStore> memberStore() {
        return Optional.of(new Members());
    }

    @Override
    public int leadershipsKept() {
        return leadershipsKept;
    }

    private synchronized CompletionStage<EvictReply> evict(EvictRequest request) {
        return CompletableFuture.completedFuture(of(request.election()).evict(request));
    }

    @Override
    public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
        publish(election, new StoreEvent.Received(message));
        return CompletableFuture.completedFuture(new AnnounceReply.Announced());
    }

    private void publish(String election, StoreEvent event) {
        listeners.getOrDefault(election, List.of()).forEach(listener -> listener.accept(event));
    }

    private final class Members implements MemberStore {

        @Override
        public CompletionStage<BeatReply> beat(BeatRequest request) {
            synchronized (members) {
                return CompletableFuture.completedFuture(members.beat(request));
            }
        }

        @Override
        public CompletionStage<LeaveReply> leave(String instance) {
            synchronized (members) {
                members.leave(instance);
            }
            return CompletableFuture.completedFuture(new LeaveReply.Left());
        }

        @Override
        public Subscription listen(Consumer<MemberNews> listener) {
            memberListeners.add(listener);
            listener.accept(new MemberNews.Connected());
            return () -> memberListeners.remove(listener);
        }

        @Override
        public int mostMembers() {
            return Integer.MAX_VALUE;
        }
    }
}
