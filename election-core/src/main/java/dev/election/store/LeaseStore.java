package dev.election.store;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Keeps one lease an election. Each request is carried out atomically, at most once for each call, and never retried here.
 * Calls return at once and never throw: whatever goes wrong is a {@link NoAnswer}. Replies and events may come on any
 * thread, which the receiver must not block.
 *
 * <p>Every store can do what the methods without a default do. An ability of only some stores is a capability of its own; a store that
 * lacks it returns an empty {@link Optional}. What a method returns for a capability never changes while the store is used. An order of
 * succession is one too: a store without a queue of candidates leaves their ranks out of its replies.
 *
 * <p>Every implementation passes {@code LeaseStoreContract}, and the contract of each capability that it has.
 */
public interface LeaseStore {

    /** The properties of this store, which never change and do not depend on a connection. */
    StoreTraits traits();

    /**
     * The place of the elections, for the log and for health: the address of the store and the setting that separates elections there.
     * Known before the store can be reached, and without credentials.
     */
    default String location() {
        return traits().name();
    }

    /**
     * Makes the first connection, before the elections of a process begin: until this has completed they send no request, so that no reply is
     * missed while this process itself is slow. Completes in any case, and soon once only the store is waited for.
     */
    default CompletionStage<?> prepare() {
        return CompletableFuture.completedFuture(true);
    }

    /** Grants the lease if it is free, and says who has it otherwise. Without an answer the lease may have been granted nevertheless. */
    CompletionStage<CampaignReply> campaign(CampaignRequest request);

    /** Extends the lease for the candidacy that holds it, and for no other. */
    CompletionStage<RenewReply> renew(RenewRequest request);

    /** Ends a candidacy: frees its lease, and takes it out of the queue. Without an answer the lease ends by itself. */
    CompletionStage<ReleaseReply> release(ReleaseRequest request);

    /** Reads the state of an election, and its past leaderships if the store keeps any ({@link #leadershipsKept}). Changes nothing. */
    CompletionStage<ReadReply> read(String election);

    /**
     * Passes on events about an election until the subscription is closed. Returns at once, also while the store is away: the
     * subscription begins, and begins again, by itself. Events may be lost: nothing may depend on them.
     */
    Subscription listen(String election, Consumer<StoreEvent> listener);

    /**
     * Sends requests of several elections, and the beat of a member, that are made at the same time. Each has its own reply, as if it had
     * come alone, and what is wrong with one harms no other. The requests of one election are carried out in their order. A store for which
     * one large request costs less than many small ones overrides this, and bounds how many of them it sends as one.
     *
     * @return the replies, in the order of the requests and each of its request's {@linkplain StoreRequest#replyType kind}
     */
    default List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        return requests.stream()
                .<CompletionStage<?>>map(request -> request.sendTo(this))
                .toList();
    }

    /**
     * Whether {@link #send} sends the requests of all elections of a process together, so that a hundred elections cost little more than one. It never
     * changes while the store is used.
     */
    default boolean sendsTogether() {
        return false;
    }

    /** The capability to take leases away from nodes that do not react. Without it a forced abdication is refused. */
    default Optional<Eviction> eviction() {
        return Optional.empty();
    }

    /**
     * The capability to pass messages on between nodes. Without it a request to abdicate is refused where another node leads, forced or
     * not.
     */
    default Optional<NodeMessaging> messaging() {
        return Optional.empty();
    }

    /** The capability to keep ledgers of leaders for their successors. Without it, or a {@link LedgerStore} from elsewhere, there is no ledger. */
    default Optional<LedgerStore> ledgerStore() {
        return Optional.empty();
    }

    /** The capability to keep the members. Without it no process can ask for them, and two processes with one node id are not found. */
    default Optional<MemberStore> memberStore() {
        return Optional.empty();
    }

    /**
     * The number of past leaderships that the store keeps of each election. Without any, {@link #read} returns none, the outcome of a remote
     * abdication may be unknown.
     */
    default int leadershipsKept() {
        return 0;
    }

    /** A subscription to events, until it is closed. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
