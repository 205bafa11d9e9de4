package dev.election.internal.election;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.AssignedRole;
import dev.election.CurrentWork;
import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderState;
import dev.election.LeaderWork;
import dev.election.Leadership;
import dev.election.LeadershipListener;
import dev.election.Partition;
import dev.election.Role;
import dev.election.StoreUnavailableException;
import dev.election.StoreView;
import dev.election.Timing;
import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.requests.Batch;
import dev.election.internal.requests.Conversation;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.threads.ListenerDispatcher;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An election for callers on any thread. Its {@link ElectionRunner} runs on the loop. */
public final class LocalElection implements Election, ElectionRunner.Callers {

    private static final Duration SHORTEST_CALL = Duration.ofSeconds(2);

    private final String name;
    private final Timing timing;
    private final LeaseStore store;
    private final Clock clock;
    private final Loop loop;
    private final Conversation conversation;
    private final ElectionRunner runner;
    private final ListenerDispatcher dispatcher;
    private final OwnLeadership leadership;
    private final RoleAssignment roles;
    private final @Nullable LedgerState state;
    private final WorkGate gate = new WorkGate();
    private final ResultMonitor results = new ResultMonitor();

    /** The report for all requests that are still open when the engine closes. */
    private final CompletableFuture<AbdicationReport> abandoned = new CompletableFuture<>();

    /** Called on the loop. */
    private volatile Consumer<Role> roleListener = role -> {};

    private volatile @Nullable PartitionPlace partition;

    /** Written by the loop alone. */
    private volatile Snapshot snapshot = Snapshot.of(Protocol.initial());

    public LocalElection(
            Timing timing, Protocol protocol, AssignedRole role, Recoveries recoveries, EngineContext context) {
        this.name = protocol.self().election();
        this.timing = timing;
        this.store = context.store();
        this.conversation = context.conversation();
        this.clock = context.clock();
        this.loop = context.loop();
        this.dispatcher = new ListenerDispatcher(loop::aside, context.callbacks());
        this.roles = new RoleAssignment(name, role, clock, dispatcher);
        this.runner = new ElectionRunner(protocol, roles, dispatcher, recoveries, context, this);
        this.leadership = runner.leadership();
        this.state = state(context);
        conversation.join(runner);
        giveUpOnFailedStart(recoveries);
    }

    /**
     * An election that is led with another by one lease: it has its token, its role and its timing, and work, recoveries, listeners and a state of its
     * own.
     */
    public LocalElection(String name, LocalElection with, Recoveries recoveries, EngineContext context) {
        this.name = name;
        this.timing = with.timing;
        this.store = with.store;
        this.conversation = with.conversation;
        this.clock = with.clock;
        this.loop = with.loop;
        this.dispatcher = new ListenerDispatcher(loop::aside, context.callbacks());
        this.roles = with.roles;
        this.runner = with.runner;
        this.leadership = new OwnLeadership(name, runner, this, dispatcher, recoveries, context);
        this.state = state(context);
        giveUpOnFailedStart(recoveries);
    }

    private @Nullable LedgerState state(EngineContext context) {
        return context.store()
                .ledgerStore()
                .map(ledgers -> new LedgerState(name, ledgers, this::writer, dispatcher::elsewhere))
                .orElse(null);
    }

    private void giveUpOnFailedStart(Recoveries recoveries) {
        if (recoveries.takeOver().givesUp()) {
            dispatcher.onFailedStart((acquired, failure) ->
                    loop.offer(() -> runner.failedStart(acquired.leader().token(), failure)));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isLeader() {
        Snapshot.Lease lease = snapshot.lease();
        return lease != null && !lease.isOver(clock.nanos());
    }

    @Override
    public Role role() {
        Snapshot seen = snapshot;
        return holds(seen.lease()) ? Role.LEADER : seen.otherwise();
    }

    @Override
    public Optional<Leadership> leadership() {
        Snapshot.Lease lease = snapshot.lease();
        if (lease == null) {
            return Optional.empty();
        }
        long remaining = lease.deadline() - clock.nanos();
        return remaining <= 0
                ? Optional.empty()
                : Optional.of(new Leadership(name, lease.token(), lease.since(), Duration.ofNanos(remaining)));
    }

    @Override
    public Optional<Leader> leader() {
        Snapshot seen = snapshot;
        boolean outlived = seen.lease() != null && !holds(seen.lease());
        return outlived ? Optional.empty() : Optional.ofNullable(seen.leader());
    }

    @Override
    public Duration leaseRemaining() {
        Snapshot seen = snapshot;
        if (seen.leader() == null) {
            return Duration.ZERO;
        }
        long end = seen.lease() != null ? seen.lease().deadline() : runner.leaderExpiry();
        return Duration.ofNanos(Math.max(0, end - clock.nanos()));
    }

    @Override
    public boolean awaitResult(Duration timeout) throws InterruptedException {
        return results.await(results::hadResult, timeout);
    }

    @Override
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return results.await(this::isLeader, timeout);
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        // The usual case on a follower: where no work runs, none can have parts.
        if (gate.isClosedAndIdle()) {
            return Optional.empty();
        }
        if (gate.enter()) {
            Snapshot seen = snapshot;
            if (seen.lease() != null && seen.admitting() && holds(seen.lease())) {
                return Optional.of(new Work(seen.lease().token()));
            }
            leaveGate();
        }
        return CurrentWork.get().beginPart(this);
    }

    @Override
    public int runningWork() {
        return gate.running();
    }

    @Override
    public CompletionStage<AbdicationOutcome> abdicate(Abdication how) {
        CompletableFuture<AbdicationOutcome> left = new CompletableFuture<>();
        leave(new Input.Abdicate(how), left);
        return left;
    }

    @Override
    public CompletionStage<AbdicationOutcome> giveUp(String reason) {
        CompletableFuture<AbdicationOutcome> left = new CompletableFuture<>();
        if (!loop.offer(() -> runner.giveUp(reason).thenAccept(left::complete))) {
            left.complete(AbdicationOutcome.NOT_LEADER);
        }
        return left;
    }

    @Override
    public CompletionStage<Void> setRole(AssignedRole role) {
        CompletableFuture<Void> changed = new CompletableFuture<>();
        if (!loop.offerHere(() -> conversation.ask(batch -> runner.setRole(role, changed, batch)))) {
            changed.complete(null);
        }
        return changed.applyToEither(abandoned.thenAccept(report -> {}), Function.identity());
    }

    /** The role that was assigned last, on any thread. */
    public AssignedRole assignedRole() {
        return roles.assigned();
    }

    @Override
    public CompletionStage<AbdicationReport> requestAbdication(AbdicationRequest request) {
        CompletableFuture<AbdicationReport> report = new CompletableFuture<>();
        Leader known = leader().orElse(null);
        if (!loop.offer(() -> runner.requestAbdication(request, known, report))) {
            abandonRemoteAbdications();
        }
        return report.applyToEither(abandoned, Function.identity());
    }

    @Override
    public CompletionStage<StoreView> lookUp() {
        return store.read(runner.name())
                .thenApplyAsync(
                        reply -> {
                            if (reply instanceof ReadReply.Read read) {
                                return read.view();
                            }
                            NoAnswer failure = (NoAnswer) reply;
                            throw new StoreUnavailableException(failure.problem(), failure.detail(), failure.action());
                        },
                        dispatcher::elsewhere);
    }

    @Override
    public LeaderState state() {
        LedgerState known = state;
        return known != null ? known : Election.super.state();
    }

    /**
     * Returns the token of a write. The token of the leader work on this thread comes first: it may be of an earlier leadership, whose writes are
     * refused.
     */
    private Optional<FencingToken> writer() {
        return CurrentWork.get().work(this).map(LeaderWork::token).or(() -> leadership()
                .map(Leadership::token));
    }

    @Override
    public void addListener(LeadershipListener listener) {
        loop.offer(() -> runner.welcome(leadership, listener));
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        dispatcher.remove(listener);
        // Once more after an addition that may be queued on the loop.
        loop.offer(() -> dispatcher.remove(listener));
    }

    /** The election as the loop sees it. */
    public ElectionRunner runner() {
        return runner;
    }

    public void start(Identity identity) {
        loop.offer(() -> conversation.ask(batch -> start(identity, batch)));
    }

    /** Starts together with other elections, in one batch. On the loop. */
    public void start(Identity identity, Batch batch) {
        runner.start(identity, batch);
    }

    /** Completes the pending reports, since no reply can arrive any more. */
    public void abandonRemoteAbdications() {
        abandoned.complete(new AbdicationReport(
                AbdicationOutcome.STORE_UNAVAILABLE,
                "The outcome of the request is unknown: this node has stopped",
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO));
    }

    /** Stops. Completes as {@link #afterCalls} does. */
    public CompletableFuture<AbdicationOutcome> stop() {
        CompletableFuture<AbdicationOutcome> left = new CompletableFuture<>();
        CompletableFuture<AbdicationOutcome> stopped = afterCalls(left);
        leave(new Input.Stop(), left);
        return stopped;
    }

    /** Stops together with other elections, in one batch. On the loop. */
    public void stop(CompletableFuture<AbdicationOutcome> left, Batch batch) {
        runner.leave(new Input.Stop(), left, batch);
    }

    /**
     * Completes when this node has left and every listener has been called, or the drain time is over. If running work needed all of
     * that time, the listeners still have {@link #SHORTEST_CALL}.
     */
    public CompletableFuture<AbdicationOutcome> afterCalls(CompletableFuture<AbdicationOutcome> departure) {
        long begun = clock.nanos();
        Thread caller = Thread.currentThread();
        return departure.thenCompose(outcome -> {
            Duration left = timing.drain().minusNanos(clock.nanos() - begun);
            Duration patience = left.compareTo(SHORTEST_CALL) > 0 ? left : SHORTEST_CALL;
            return dispatcher.called(patience, caller).thenApplyAsync(called -> outcome, dispatcher::elsewhere);
        });
    }

    public Duration longestStop() {
        return timing.longestStop();
    }

    @Override
    public String toString() {
        return "Election[" + name + ", " + role() + "]";
    }

    private void leave(Input request, CompletableFuture<AbdicationOutcome> left) {
        // The caller waits for the result in any case, so the request may run on its thread.
        if (!loop.offerHere(() -> runner.leave(request, left))) {
            left.complete(AbdicationOutcome.NOT_LEADER);
        }
    }

    private boolean holds(Snapshot.@Nullable Lease lease) {
        return lease != null && !lease.isOver(clock.nanos());
    }

    /** Sets a consumer of the role of this node, called after each change of the snapshot. Before the election starts. */
    public void tellRole(Consumer<Role> listener) {
        roleListener = listener;
    }

    /** Whether this election is led with another, whose start is its start. */
    public boolean isLedWithAnother() {
        return leadership != runner.leadership();
    }

    /** Takes part in the lease of the election that this one is led with. Before listeners are added. */
    public void joinLease() {
        loop.offer(() -> runner.lead(leadership));
    }

    /** Sets the partition that this election is, {@code null} if it is none. Before the election starts. */
    public void isPartition(@Nullable PartitionPlace place) {
        partition = place;
    }

    @Override
    public void publish(Snapshot next) {
        snapshot = next;
        roleListener.accept(next.lease() != null ? Role.LEADER : next.otherwise());
        results.post(next.leader() != null, next.lease() != null);
    }

    @Override
    public WorkGate gate() {
        return gate;
    }

    @Override
    public LeaderWork recoveryWork(FencingToken token) {
        gate.enterClosed();
        return new Work(token);
    }

    private void leaveGate() {
        if (gate.exit()) {
            loop.offer(runner::checkDrained);
        }
    }

    private final class Work implements LeaderWork {

        private final FencingToken token;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Work(FencingToken token) {
            this.token = token;
        }

        @Override
        public Election election() {
            return LocalElection.this;
        }

        @Override
        public FencingToken token() {
            return token;
        }

        @Override
        public Optional<Partition> partition() {
            return Optional.ofNullable(partition).map(place -> place.under(token));
        }

        /** Counts first, then checks: if this work is still open then, the count was never zero in between and no drain has ended. */
        @Override
        public Optional<LeaderWork> beginPart() {
            if (!gate.join()) {
                return Optional.empty();
            }
            if (closed.get() || !isCurrent()) {
                leaveGate();
                return Optional.empty();
            }
            return Optional.of(new Work(token));
        }

        @Override
        public boolean isCurrent() {
            Snapshot.Lease lease = snapshot.lease();
            return lease != null && lease.token().equals(token) && holds(lease);
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                leaveGate();
            }
        }
    }
}
