package dev.election.redis.bridge;

import dev.election.LossReason;
import dev.election.StoreProblem;
import dev.election.redis.bridge.Chains.Chain;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreRequest;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Lease store that grants and renews a lease only while the old key holds the mark of its holder. To the election an old master looks like
 * a store that grants nothing for a while.
 */
final class BridgedLeaseStore extends ForwardingLeaseStore {

    /** Wait before the next question while an old node holds the lock, which it does for some milliseconds. */
    private static final Duration SOON = Duration.ofMillis(100);

    private final Bridge bridge;
    private final String election;
    private final Chains chains = new Chains();

    BridgedLeaseStore(LeaseStore store, Bridge bridge, String election) {
        super(store);
        this.bridge = bridge;
        this.election = election;
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        Iterator<CompletionStage<?>> others = super.send(
                        requests.stream().filter(request -> !isBridged(request)).toList())
                .iterator();
        return requests.stream()
                .<CompletionStage<?>>map(request ->
                        isBridged(request) ? sendBridged((StoreRequest.OfCandidate<?>) request) : others.next())
                .toList();
    }

    private boolean isBridged(StoreRequest<?> request) {
        return request instanceof StoreRequest.OfCandidate<?> own
                && own.candidate().election().equals(election);
    }

    private CompletionStage<?> sendBridged(StoreRequest.OfCandidate<?> request) {
        String candidacy = request.candidate().candidacy();
        if (request instanceof CampaignRequest campaign) {
            return chains.run(candidacy, chain -> campaign(campaign, chain)).exceptionally(bridge::noAnswer);
        }
        return request instanceof RenewRequest renewal
                ? chains.run(candidacy, chain -> renew(renewal, chain)).exceptionally(bridge::noAnswer)
                : release((ReleaseRequest) request, candidacy);
    }

    private CompletionStage<CampaignReply> campaign(CampaignRequest request, Chain chain) {
        Duration lookAgain = lookAgain(request);
        return bridge.look().thenCompose(outlook -> {
            Duration blockedFor = outlook.blockedFor();
            return blockedFor.isZero()
                    ? chain.send(() -> forward(request.seeing(outlook.token())))
                            .thenCompose(reply -> reply instanceof CampaignReply.Granted granted
                                    ? granted(request, granted, chain)
                                    : done(reply))
                    : done(wait(blockedFor.compareTo(lookAgain) < 0 ? blockedFor : lookAgain));
        });
    }

    /** Marks a lease that was granted, or gives it back if its candidacy was released meanwhile: the release has not found it. */
    private CompletionStage<CampaignReply> granted(
            CampaignRequest request, CampaignReply.Granted granted, Chain chain) {
        if (!chain.isEnded()) {
            return mark(request.candidate(), granted, lookAgain(request), chain);
        }
        ReleaseRequest.Grant grant = new ReleaseRequest.Grant(granted.token(), granted.expiry());
        return forward(new ReleaseRequest(request.candidate(), grant, request.lease(), LossReason.SUPERSEDED))
                .thenApply(released -> wait(lookAgain(request)));
    }

    /**
     * Marks a lease, which counts only with the mark. Without it the lease is left alone: the next attempt may use it, and else it ends by
     * itself. To give it back would bring the others to the same lock or the same old master at once.
     */
    private CompletionStage<CampaignReply> mark(
            Candidate candidate, CampaignReply.Granted granted, Duration lookAgain, Chain chain) {
        return bridge.mark(candidate, granted.token(), chain).thenApply(marking -> switch (marking) {
            case MARKED -> granted;
            case LOCKED -> wait(SOON);
            case OLD_MASTER, NEWER -> wait(lookAgain);
        });
    }

    /**
     * Renews the mark and then the lease. A leader that has lost its mark learns it from the reply: the lease is released after it has
     * ceased to believe, and not here.
     */
    private CompletionStage<RenewReply> renew(RenewRequest request, Chain chain) {
        return bridge.mark(request.candidate(), request.token(), chain).thenCompose(marking -> switch (marking) {
            case MARKED -> chain.send(() -> forward(request));
            case LOCKED -> done(locked());
            case OLD_MASTER -> done(new RenewReply.Lost(null));
            case NEWER -> chain.send(() -> forward(request)).thenApply(this::superseded);
        });
    }

    private CompletionStage<ReleaseReply> release(ReleaseRequest request, String candidacy) {
        CompletionStage<ReleaseReply> released = chains.end(candidacy, () -> forward(request));
        bridge.released(request.candidate().node().id(), request.reason() == LossReason.STOPPED, released);
        return released;
    }

    @Override
    public Subscription listen(String asked, Consumer<StoreEvent> listener) {
        Subscription events = super.listen(asked, listener);
        if (!asked.equals(election)) {
            return events;
        }
        Subscription own = bridge.listen(listener);
        return () -> {
            own.close();
            events.close();
        };
    }

    /** Handles a newer mark of another node. If the store renews the lease all the same, that mark is from another election with the same key. */
    private RenewReply superseded(RenewReply reply) {
        if (!(reply instanceof RenewReply.Renewed)) {
            return reply;
        }
        bridge.sharedWithAnotherElection();
        return new RenewReply.Lost(null);
    }

    /** Wait before the next look whether the old master is gone. */
    private static Duration lookAgain(CampaignRequest request) {
        return request.lease().dividedBy(3);
    }

    private static CampaignReply wait(Duration time) {
        return new CampaignReply.Wait(time, 0);
    }

    private NoAnswer locked() {
        return new NoAnswer(
                StoreProblem.UNKNOWN,
                "The mark in the key of the old scheduler is gone, and an old node holds the lock",
                "nothing: an old node elects a master, or has crashed meanwhile, and its lock ends by itself");
    }

    private static <T> CompletionStage<T> done(T reply) {
        return CompletableFuture.completedFuture(reply);
    }
}
