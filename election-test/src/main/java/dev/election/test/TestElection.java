package dev.election.test;

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
import dev.election.LossReason;
import dev.election.Role;
import dev.election.StoreView;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One of the {@link TestElections}. Changes come one at a time; questions are answered from the last one. */
final class TestElection implements Election {

    /** Shown as the time that a leadership still has; it never gets less. */
    private static final Duration LEASE = Duration.ofSeconds(15);

    private final String name;
    private final Announcements announcements = new Announcements();

    /** Guarded by this, as are the running work and whether there was a result. */
    private final Leaderships leaderships;

    private final Set<Work> running = new HashSet<>();
    private boolean hadResult;

    /** Written under the lock. */
    private volatile Standing standing = Standing.LEADERLESS;

    TestElection(String name, String node) {
        this.name = name;
        this.leaderships = new Leaderships(name, node, announcements);
    }

    void lead() {
        change(leaderships::lead);
    }

    void follow() {
        change(() -> leaderships.follow(null));
    }

    void follow(String leader) {
        change(() -> leaderships.follow(leader));
    }

    void reset() {
        change(() -> {
            running.clear();
            leaderships.reset();
            hadResult = false;
        });
    }

    void start() {
        change(leaderships::start);
    }

    CompletableFuture<AbdicationOutcome> stop() {
        return leave(LossReason.STOPPED, null);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isLeader() {
        return standing.self() != null;
    }

    @Override
    public Role role() {
        return standing.role();
    }

    @Override
    public Optional<Leadership> leadership() {
        return Optional.ofNullable(standing.self())
                .map(self -> new Leadership(name, self.token(), self.since(), LEASE));
    }

    @Override
    public Optional<Leader> leader() {
        return Optional.ofNullable(standing.leader());
    }

    @Override
    public boolean awaitResult(Duration timeout) throws InterruptedException {
        return await(() -> hadResult, timeout);
    }

    @Override
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return await(this::isLeader, timeout);
    }

    @Override
    public synchronized Optional<LeaderWork> beginWork() {
        Leader self = standing.self();
        return self == null || !standing.admitting()
                ? CurrentWork.get().beginPart(this)
                : Optional.of(begin(self.token()));
    }

    @Override
    public synchronized int runningWork() {
        return running.size();
    }

    @Override
    public CompletionStage<AbdicationOutcome> abdicate(Abdication how) {
        return leave(LossReason.ABDICATED, how.drain());
    }

    /** A test's leader is always at hand, so that it is asked on this node or not at all. */
    @Override
    public CompletionStage<AbdicationReport> requestAbdication(AbdicationRequest request) {
        Optional<Leader> before = leader();
        return abdicate(request.how())
                .thenApply(outcome ->
                        new AbdicationReport(outcome, "Decided by the test", before, leader(), Duration.ZERO));
    }

    @Override
    public CompletionStage<StoreView> lookUp() {
        Optional<Leader> leader = leader();
        return CompletableFuture.completedFuture(
                new StoreView(Instant.now(), leader, leader.isPresent() ? LEASE : Duration.ZERO, List.of()));
    }

    @Override
    public void addListener(LeadershipListener listener) {
        change(() -> leaderships.welcome(listener));
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        announcements.remove(listener);
    }

    @Override
    public String toString() {
        return "TestElection[" + name + ", " + role() + "]";
    }

    private CompletableFuture<AbdicationOutcome> leave(LossReason reason, @Nullable Duration drain) {
        CompletableFuture<AbdicationOutcome> left = new CompletableFuture<>();
        change(() -> {
            leaderships.leave(reason, left);
            boolean drained = running.isEmpty() || (drain != null && drain.isZero());
            if (leaderships.standing().isResigning() && drained) {
                leaderships.release();
            }
        });
        return left;
    }

    private synchronized Optional<LeaderWork> beginPart(Work work) {
        return running.contains(work) && work.isCurrent() ? Optional.of(begin(work.token)) : Optional.empty();
    }

    private synchronized LeaderWork begin(FencingToken token) {
        Work work = new Work(token);
        running.add(work);
        return work;
    }

    private void end(Work work) {
        synchronized (this) {
            if (!running.remove(work) || !running.isEmpty() || !standing.isResigning()) {
                return;
            }
            leaderships.release();
            publish();
        }
        announcements.tellSoon();
        leaderships.tellOutcomes();
    }

    private void change(Runnable change) {
        synchronized (this) {
            change.run();
            publish();
        }
        announcements.tellAll();
        leaderships.tellOutcomes();
    }

    private synchronized void publish() {
        standing = leaderships.standing();
        hadResult |= standing.leader() != null;
        notifyAll();
    }

    private synchronized boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long longest = Election.bounded(timeout).toNanos();
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            long left = longest - (System.nanoTime() - begun);
            if (left <= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return true;
    }

    private final class Work implements LeaderWork {

        private final FencingToken token;

        private Work(FencingToken token) {
            this.token = token;
        }

        @Override
        public Election election() {
            return TestElection.this;
        }

        @Override
        public FencingToken token() {
            return token;
        }

        @Override
        public Optional<LeaderWork> beginPart() {
            return TestElection.this.beginPart(this);
        }

        @Override
        public boolean isCurrent() {
            return standing.isLedUnder(token);
        }

        @Override
        public void close() {
            end(this);
        }
    }
}
