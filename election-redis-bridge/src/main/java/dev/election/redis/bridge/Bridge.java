package dev.election.redis.bridge;

import dev.election.FencingToken;
import dev.election.redis.bridge.Chains.Chain;
import dev.election.redis.bridge.KeyReply.Outcome;
import dev.election.redis.client.RedisAccess;
import dev.election.redis.script.RedisScripts;
import dev.election.store.Candidate;
import dev.election.store.LeaseStore;
import dev.election.store.LeaseStoreDecorator;
import dev.election.store.NoAnswer;
import dev.election.store.StoreEvent;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bridge between an election and a scheduler that elects its master by a key in Redis: at most one of both sides leads. A node of the
 * election leads only while the old key holds its mark, {@code election:<node>}, so that the old nodes find a master that is none of them.
 * While the old key names an old node, the election has no leader.
 *
 * <p>The mark is written under the lock of the old nodes, and only where no old node is master. It is renewed with every renewal of the
 * lease, and deleted when the last node of the election stops in order. One old node can break this: one that was paused within its lock
 * for longer than the lock lasts overwrites the mark. The leader sees that at its next renewal and gives up.
 *
 * <p>The lease, the old key and its lock lie in different slots of a Cluster, so each is a request of its own.
 */
public final class Bridge implements LeaseStoreDecorator, AutoCloseable {

    /** Time without an old node after which the bridge is of no use: old nodes renew the key every half minute. */
    private static final Duration QUIET_ENOUGH = Duration.ofMinutes(10);

    private static final Duration LOCK_LEASE = Duration.ofSeconds(5);
    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration SUCCESSOR_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration LONGEST_CLOSE = SUCCESSOR_TIMEOUT.multipliedBy(3);
    private static final Duration PAUSE = Duration.ofMillis(50);

    private static final Executor LATER = new DaemonThreads("election-bridge").after(PAUSE);

    private static final Logger log = LoggerFactory.getLogger(Bridge.class);

    private final BridgeSettings settings;
    private final Duration lease;
    private final BridgeActions actions;
    private final RedisScripts scripts;
    private final OldKey key;
    private final OldLock lock;
    private final BridgeLog transitions;
    private final List<Consumer<StoreEvent>> listeners = new CopyOnWriteArrayList<>();

    private volatile BridgeStatus status = BridgeStatus.UNKNOWN;

    /** Until when this node may lead, on the monotonic clock. */
    private volatile long mayLeadUntil = System.nanoTime();

    /** Mark that this node last wrote into the old key, or was about to write. */
    private final AtomicReference<@Nullable Mark> mark = new AtomicReference<>();

    private volatile CompletableFuture<?> withdrawal = CompletableFuture.completedFuture(null);

    private record Mark(String node, long token) {}

    private Bridge(RedisAccess access, BridgeSettings settings, Duration lease, BridgeActions actions) {
        settings.requireLongerThan(lease);
        this.settings = settings;
        this.lease = lease;
        this.actions = actions;
        this.scripts = RedisScripts.open(access, lease, this::mayLead, settings.database());
        this.key = new OldKey(scripts, settings);
        this.lock = new OldLock(scripts, settings.lock(), LOCK_LEASE);
        this.transitions = new BridgeLog(settings, actions);
    }

    /**
     * Creates the bridge. Returns at once, whether Redis can be reached or not.
     *
     * @param access how to reach the Redis of the old scheduler
     * @param settings what the old scheduler uses
     * @param lease the lease of the election
     * @throws IllegalArgumentException if the old key could end within a lease, or a Cluster is to have databases
     */
    public static Bridge open(RedisAccess access, BridgeSettings settings, Duration lease) {
        return open(access, settings, lease, BridgeActions.DEFAULT);
    }

    /** Creates the bridge with actions of the operator in other words. */
    public static Bridge open(RedisAccess access, BridgeSettings settings, Duration lease, BridgeActions actions) {
        return new Bridge(access, settings, lease, actions);
    }

    @Override
    public LeaseStore decorate(LeaseStore store) {
        return new BridgedLeaseStore(store, this, settings.election());
    }

    /** The name of the election. */
    public String election() {
        return settings.election();
    }

    /** State of the old key, as this node last saw it: a lease ago at most, unless it cools down or is stopped. */
    public BridgeStatus status() {
        return status;
    }

    /**
     * Takes the old key from an old master that does not run any more. A running one would notice only when it next reads the key, and
     * would not wait for its jobs.
     *
     * @param node this node, which the old nodes find as master until a node with the bridge leads
     * @param master the old master, as {@link BridgeStatus#oldMaster()} names it: another one is left alone
     */
    public CompletionStage<TakeOverReply> takeOver(String node, String master) {
        long giveUpAt = System.nanoTime() + LOCK_TIMEOUT.toNanos();
        return takeOver(node, master, giveUpAt)
                .exceptionally(failure -> new TakeOverReply.Unanswered(noAnswer(failure)));
    }

    /**
     * Deletes the mark of this node, unless another node takes it over within a second. To be called after the elections were closed: the mark of
     * a node that still leads is left alone. Takes three seconds at most, all of them where Redis does not answer: then the mark stays, with a
     * warning.
     */
    @Override
    public void close() {
        Mark last = mark.getAndSet(null);
        if (last != null && mayLead()) {
            log.warn(
                    "The bridge is closed before the elections: the key {} keeps the mark of this node until it ends, or for as long as"
                            + " old nodes extend it. If no new node runs and the old ones elect no master, delete the key",
                    settings.key());
        } else if (last != null) {
            withdraw(last, CompletableFuture.completedFuture(null));
        }
        try {
            withdrawal.get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException failure) {
            log.warn(
                    "The key {} may keep the mark of this node, since Redis did not answer. If no node of election '{}' is left, old nodes"
                            + " extend it, and nobody leads: delete the key then",
                    settings.key(),
                    settings.election(),
                    failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        scripts.close();
    }

    /**
     * Whether a node with the bridge can lead.
     *
     * @param blockedFor how long none can, as far as can be said: because of an old master, or of an old node that is electing one
     * @param token the highest token that is noted beside the key: a store that has forgotten it has to be told
     */
    record Outlook(Duration blockedFor, long token) {}

    /** Looks whether a node with the bridge can lead. */
    CompletionStage<Outlook> look() {
        return key.look().thenCompose(seen -> {
            note(seen);
            CompletionStage<Duration> blockedFor =
                    switch (seen.outcome()) {
                        case OLD ->
                            CompletableFuture.completedFuture(seen.left() == null ? lease : positive(seen.left()));
                        case FREE -> lock.look();
                        default -> CompletableFuture.completedFuture(Duration.ZERO);
                    };
            return blockedFor.thenApply(time -> new Outlook(time, seen.note().highest()));
        });
    }

    /** Outcome of an attempt to write or renew the mark. */
    enum Marking {
        MARKED,
        OLD_MASTER,
        NEWER,
        LOCKED
    }

    /**
     * Writes or renews the mark: without the lock if the mark of a node with the bridge is there already, since no old node replaces that
     * by itself.
     */
    CompletionStage<Marking> mark(Candidate candidate, FencingToken token, Chain chain) {
        Mark next = new Mark(candidate.node().id(), token.value());
        long sentAt = System.nanoTime();
        return chain.send(() -> {
                    mark.set(next);
                    return key.keep(next.node(), next.token());
                })
                .thenCompose(seen -> seen.outcome() == Outcome.FREE
                        ? chain.send(() -> lock.guard(() -> chain.send(() -> key.claim(next.node(), next.token()))))
                        : CompletableFuture.completedFuture(new OldLock.Guarded(Duration.ZERO, seen)))
                .thenApply(guarded -> marked(guarded.reply(), sentAt));
    }

    private Marking marked(@Nullable KeyReply seen, long sentAt) {
        if (seen == null) {
            return Marking.LOCKED;
        }
        note(seen);
        switch (seen.outcome()) {
            case KEPT -> {
                mayLeadUntil = sentAt + lease.toNanos();
                return Marking.MARKED;
            }
            case OLD -> {
                if (mayLead()) {
                    transitions.overwritten(seen);
                }
                mayLeadUntil = sentAt;
                return Marking.OLD_MASTER;
            }
            case NEWER -> {
                mayLeadUntil = sentAt;
                return Marking.NEWER;
            }
            default -> throw new IllegalStateException("Not a reply to a mark: " + seen);
        }
    }

    /**
     * Ends a leadership whose holder has ceased to believe, just before its lease is released. If the node takes no part any more, its mark
     * is deleted, unless another node with the bridge takes it over now. Deletes only the mark of that leadership, so that one that begins
     * meanwhile keeps its own.
     *
     * @param node the node whose lease it was
     * @param stops whether the node takes no part any more
     * @param released completes when all requests of that leadership are over
     */
    void released(String node, boolean stops, CompletionStage<?> released) {
        Mark last = mark.get();
        if (last == null || !last.node().equals(node)) {
            return;
        }
        mayLeadUntil = System.nanoTime();
        if (stops && mark.compareAndSet(last, null)) {
            withdraw(last, released);
        }
    }

    private void withdraw(Mark last, CompletionStage<?> released) {
        withdrawal = released.<@Nullable Void>handle((reply, failure) -> null)
                .toCompletableFuture()
                .completeOnTimeout(null, SUCCESSOR_TIMEOUT.toMillis() / 2, TimeUnit.MILLISECONDS)
                .thenCompose(over -> awaitSuccessor(last, System.nanoTime() + SUCCESSOR_TIMEOUT.toNanos()))
                .thenAccept(this::note);
    }

    /** Completes when the mark of a node that has stopped is deleted or another's. */
    CompletionStage<?> withdrawal() {
        return withdrawal;
    }

    /** Warns of another election with the same key: it has a newer mark, and yet the election has no newer leader. */
    void sharedWithAnotherElection() {
        transitions.shared();
    }

    LeaseStore.Subscription listen(Consumer<StoreEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Translates a failure for the election: its store does not answer. The actions name the keys of the old scheduler. */
    NoAnswer noAnswer(Throwable failure) {
        NoAnswer answer = RedisScripts.noAnswer(failure);
        String action =
                switch (answer.problem()) {
                    case WRONG_TYPE ->
                        "the key " + settings.key() + " must be a string, and the lock " + settings.lock()
                                + " one of Redisson: " + actions.correctNames();
                    case FORBIDDEN ->
                        "grant the Redis user GET, SET, DEL, PTTL, EXISTS, PEXPIRE, HSET, HMGET, HDEL, HEXISTS and TIME on the keys "
                                + settings.key() + ", " + OldKey.note(settings.key()) + " and " + settings.lock();
                    default -> answer.action();
                };
        return new NoAnswer(answer.problem(), answer.detail(), action);
    }

    private CompletionStage<TakeOverReply> takeOver(String node, String master, long giveUpAt) {
        return lock.guard(() -> key.take(node, master)).thenCompose(guarded -> {
            KeyReply seen = guarded.reply();
            if (seen != null) {
                return CompletableFuture.completedFuture(taken(seen, node, master));
            }
            return System.nanoTime() - giveUpAt < 0
                    ? later(() -> takeOver(node, master, giveUpAt))
                    : CompletableFuture.completedFuture(new TakeOverReply.Locked(guarded.heldFor()));
        });
    }

    private TakeOverReply taken(KeyReply seen, String node, String master) {
        note(seen);
        return switch (seen.outcome()) {
            case TAKEN -> {
                mark.set(new Mark(node, 0));
                transitions.takenOver(node, master);
                // The election can have a leader now, so its candidates ask again.
                listeners.forEach(listener -> listener.accept(new StoreEvent.Connected()));
                yield new TakeOverReply.TakenOver();
            }
            case OLD -> new TakeOverReply.OtherMaster(seen.shown());
            default -> new TakeOverReply.NoMaster();
        };
    }

    /** Asks until a successor has replaced the mark, or until a time after which it deletes it. A failed attempt is repeated for a while. */
    private CompletionStage<KeyReply> awaitSuccessor(Mark last, long until) {
        return key.look()
                .thenCompose(seen -> {
                    if (!seen.isMarkOf(last.node()) || seen.note().token() > last.token()) {
                        return CompletableFuture.completedFuture(seen);
                    }
                    return System.nanoTime() - until < 0
                            ? later(() -> awaitSuccessor(last, until))
                            : key.drop(last.node(), seen.note().token());
                })
                .exceptionallyCompose(failure -> System.nanoTime() - until < SUCCESSOR_TIMEOUT.toNanos()
                        ? later(() -> awaitSuccessor(last, until))
                        : CompletableFuture.failedFuture(failure));
    }

    private boolean mayLead() {
        return System.nanoTime() - mayLeadUntil < 0;
    }

    private void note(KeyReply seen) {
        BridgeStatus next = BridgeStatus.of(seen, QUIET_ENOUGH);
        status = next;
        transitions.seen(next);
    }

    private static Duration positive(Duration left) {
        return left.plusMillis(1);
    }

    private static <T> CompletionStage<T> later(Supplier<CompletionStage<T>> attempt) {
        return CompletableFuture.supplyAsync(attempt, LATER).thenCompose(Function.identity());
    }
}
