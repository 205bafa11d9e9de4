package dev.election.engine;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.CurrentWork;
import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.Leadership;
import dev.election.LeadershipListener;
import dev.election.Role;
import dev.election.StoreUnavailableException;
import dev.election.StoreView;
import dev.election.lease.LeaseStore;
import dev.election.lease.NoAnswer;
import dev.election.lease.ReadReply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What callers on any thread see of a {@link Contest}. */
final class LocalElection implements Election {

    private final String name;
    private final Timing timing;
    private final LeaseStore store;
    private final Clock clock;
    private final Loop loop;
    private final Contest contest;
    private final Audience audience;
    private final WorkGate gate = new WorkGate();
    private final Bulletin bulletin = new Bulletin();

    /** What whoever still waits for a report gets in the end. */
    private final CompletableFuture<AbdicationReport> abandoned = new CompletableFuture<>();

    /** Written by the loop alone. */
    private volatile Snapshot snapshot = Snapshot.of(Protocol.initial());

    LocalElection(
            String name,
            Timing timing,
            Protocol protocol,
            LeaseStore store,
            Loop loop,
            Clock clock,
            Executor callbacks) {
        this.name = name;
        this.timing = timing;
        this.store = store;
        this.clock = clock;
        this.loop = loop;
        this.audience = new Audience(loop::aside, callbacks);
        this.contest = new Contest(name, timing.drain(), protocol, store, loop, clock, audience, gate, this::publish);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isLeader() {
        Tenure tenure = snapshot.tenure();
        return tenure != null && !tenure.isOver(clock.nanos());
    }

    @Override
    public Role role() {
        Snapshot seen = snapshot;
        return holds(seen.tenure()) ? Role.LEADER : seen.otherwise();
    }

    @Override
    public Optional<Leadership> leadership() {
        Tenure tenure = snapshot.tenure();
        if (tenure == null) {
            return Optional.empty();
        }
        long remaining = tenure.deadline() - clock.nanos();
        return remaining <= 0
                ? Optional.empty()
                : Optional.of(
                        new Leadership(name, tenure.token(), tenure.leader().since(), Duration.ofNanos(remaining)));
    }

    @Override
    public Optional<Leader> leader() {
        Snapshot seen = snapshot;
        boolean outlived = seen.tenure() != null && !holds(seen.tenure());
        return outlived ? Optional.empty() : Optional.ofNullable(seen.leader());
    }

    @Override
    public boolean awaitResult(Duration timeout) throws InterruptedException {
        return bulletin.await(bulletin::hadResult, timeout);
    }

    @Override
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return bulletin.await(this::isLeader, timeout);
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        if (gate.enter()) {
            Snapshot seen = snapshot;
            if (seen.tenure() != null && seen.admitting() && holds(seen.tenure())) {
                return Optional.of(new Work(seen.tenure().token()));
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
        Duration drain = how.drain() == null ? timing.drain() : how.drain();
        return leave(new Input.Abdicate(how, drain));
    }

    @Override
    public CompletionStage<AbdicationReport> requestAbdication(AbdicationRequest request) {
        CompletableFuture<AbdicationReport> report = new CompletableFuture<>();
        Leader known = leader().orElse(null);
        if (!onLoop(() -> contest.petition(request, known, report))) {
            abandonPetitions();
        }
        return report.applyToEither(abandoned, Function.identity());
    }

    @Override
    public CompletionStage<StoreView> lookUp() {
        return Contest.<ReadReply>ask(() -> store.read(name), noAnswer -> noAnswer)
                .thenApplyAsync(
                        reply -> {
                            if (reply instanceof ReadReply.Read read) {
                                return read.view();
                            }
                            NoAnswer failure = (NoAnswer) reply;
                            throw new StoreUnavailableException(failure.problem(), failure.detail());
                        },
                        audience::elsewhere);
    }

    @Override
    public void addListener(LeadershipListener listener) {
        onLoop(() -> contest.welcome(listener));
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        audience.remove(listener);
        // Once more behind an addition that may still be on its way.
        onLoop(() -> audience.remove(listener));
    }

    void start() {
        onLoop(contest::start);
    }

    /** Nobody hears of the leader any more: whoever waits for a report is told so. */
    void abandonPetitions() {
        abandoned.complete(new AbdicationReport(
                AbdicationOutcome.STORE_UNAVAILABLE,
                "This node has stopped and asks nobody any more",
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO));
    }

    CompletableFuture<AbdicationOutcome> stop() {
        return leave(new Input.Stop(timing.drain()));
    }

    /** After this long a stop is through, whatever the work and the store do. */
    Duration longestStop() {
        return timing.drain().plus(timing.lease()).plusSeconds(1);
    }

    @Override
    public String toString() {
        return "Election[" + name + ", " + role() + "]";
    }

    private CompletableFuture<AbdicationOutcome> leave(Input request) {
        CompletableFuture<AbdicationOutcome> left = new CompletableFuture<>();
        try {
            // Whoever asks waits for the end of it anyway, and so may lend its thread.
            loop.executeHere(() -> contest.leave(request, left));
        } catch (RejectedExecutionException closed) {
            left.complete(AbdicationOutcome.NOT_LEADER);
        }
        return left;
    }

    /** Whether the task will run: nothing does once the engine is closed, and then nothing is left to do. */
    private boolean onLoop(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            return false;
        }
    }

    private boolean holds(@Nullable Tenure tenure) {
        return tenure != null && !tenure.isOver(clock.nanos());
    }

    private void publish(Snapshot next) {
        if (!next.equals(snapshot)) {
            snapshot = next;
            bulletin.post(next.leader() != null, next.tenure() != null);
        }
    }

    private void leaveGate() {
        if (gate.exit()) {
            onLoop(contest::checkDrained);
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

        /** Counted before it looks: if this work is open then, the count has not been zero in between, and no drain has ended. */
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
            Tenure tenure = snapshot.tenure();
            return tenure != null && tenure.token().equals(token) && holds(tenure);
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                leaveGate();
            }
        }
    }
}
