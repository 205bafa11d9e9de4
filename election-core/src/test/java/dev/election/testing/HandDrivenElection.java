package dev.election.testing;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.AssignedRole;
import dev.election.CurrentWork;
import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.Leadership;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.Role;
import dev.election.StoreProblem;
import dev.election.StoreUnavailableException;
import dev.election.StoreView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An election whose outcome a test decides. */
public final class HandDrivenElection implements Election {

    private final String name;
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger admissions = new AtomicInteger();
    private final CountDownLatch result = new CountDownLatch(1);
    private final CountDownLatch awaited = new CountDownLatch(1);
    private volatile @Nullable FencingToken token;
    private volatile boolean admitting;
    private volatile boolean outlived;
    private volatile boolean recovering;
    private final List<AbdicationRequest> requests = new CopyOnWriteArrayList<>();
    private volatile AbdicationReport report = new AbdicationReport(
            AbdicationOutcome.NOT_LEADER, "Nobody leads", Optional.empty(), Optional.empty(), Duration.ZERO);
    private volatile @Nullable StoreView view;
    private long grants;

    HandDrivenElection(String name) {
        this.name = name;
    }

    /** This node leads with the next token, which is 1 at first. */
    public synchronized void lead() {
        grants++;
        token = new FencingToken(grants);
        recovering = false;
        admitting = true;
        outlived = false;
        result.countDown();
        tell(new LeadershipEvent.Acquired(name, Instant.EPOCH, me()));
    }

    /** This node leads with that token and admits no work yet: it recovers until {@link #recovered()}. */
    public synchronized void recover(long granted) {
        grants = granted;
        token = new FencingToken(granted);
        recovering = true;
        admitting = false;
        outlived = false;
        tell(beginning());
    }

    /** It has recovered. */
    public void recovered() {
        recovering = false;
        admitting = true;
        tell(beginning());
    }

    /** What is told of the leadership of this node. */
    private LeadershipEvent beginning() {
        return recovering
                ? new LeadershipEvent.Recovering(name, Instant.EPOCH, me(), "recovery")
                : new LeadershipEvent.Acquired(name, Instant.EPOCH, me());
    }

    /** This node leads with that token, as if others had led before. */
    public synchronized void lead(long token) {
        grants = token - 1;
        lead();
    }

    /** Another node leads. */
    public void leadElsewhere(long token) {
        Leader other = new Leader("other", "other:80", new FencingToken(token), Instant.EPOCH);
        tell(new LeadershipEvent.LeaderChanged(name, Instant.EPOCH, Optional.of(other)));
    }

    /** This node still leads and admits no more work. */
    public void resign() {
        admitting = false;
        tell(new LeadershipEvent.Resigning(name, Instant.EPOCH, current(), LossReason.STOPPED));
    }

    /** It admits work again, under the same leadership. */
    public void resume() {
        admitting = true;
        tell(new LeadershipEvent.Resumed(name, Instant.EPOCH, current()));
    }

    /** From here on no work is admitted, and nobody is told: the lease has ended a moment ago. */
    public void outlive() {
        outlived = true;
        admitting = false;
    }

    /** This node does not lead, or no longer. */
    public synchronized void follow() {
        FencingToken ended = token;
        admitting = false;
        token = null;
        result.countDown();
        if (ended != null) {
            tell(new LeadershipEvent.Lost(name, Instant.EPOCH, ended, LossReason.EXPIRED, Duration.ZERO));
        }
    }

    /** The loss of an older leadership is told once more. */
    public void repeatLossOf(FencingToken ended) {
        tell(new LeadershipEvent.Lost(name, Instant.EPOCH, ended, LossReason.EXPIRED, Duration.ZERO));
    }

    public void tell(LeadershipEvent event) {
        listeners.forEach(listener -> listener.onEvent(event));
    }

    /** How much work has been admitted so far. */
    public int admissions() {
        return admissions.get();
    }

    /** Waits until somebody waits for the first result. */
    public boolean isAwaitedWithin(Duration timeout) throws InterruptedException {
        return awaited.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    public int listeners() {
        return listeners.size();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isLeader() {
        return token != null;
    }

    @Override
    public Role role() {
        return isLeader() ? Role.LEADER : Role.FOLLOWER;
    }

    @Override
    public Optional<Leadership> leadership() {
        return Optional.ofNullable(token)
                .map(held -> new Leadership(name, held, Instant.EPOCH, Duration.ofSeconds(15)));
    }

    @Override
    public Optional<Leader> leader() {
        return isLeader() ? Optional.of(me()) : Optional.empty();
    }

    @Override
    public boolean awaitResult(Duration timeout) throws InterruptedException {
        awaited.countDown();
        return result.await(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public boolean awaitLeadership(Duration timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        return admitting ? admit() : CurrentWork.get().beginPart(this);
    }

    private Optional<LeaderWork> admit() {
        FencingToken held = token;
        if (held == null) {
            return Optional.empty();
        }
        admissions.incrementAndGet();
        running.incrementAndGet();
        return Optional.of(new Work(held));
    }

    @Override
    public int runningWork() {
        return running.get();
    }

    @Override
    public CompletionStage<AbdicationOutcome> abdicate(Abdication how) {
        follow();
        return CompletableFuture.completedFuture(AbdicationOutcome.RELEASED);
    }

    /** A test says itself who leads. */
    @Override
    public CompletionStage<Void> setRole(AssignedRole role) {
        throw new UnsupportedOperationException();
    }

    /** What the next request for an abdication comes to. */
    public void answerRequestsWith(AbdicationReport report) {
        this.report = report;
    }

    /** What the store says, or null if it does not answer. */
    public void storeSays(@Nullable StoreView view) {
        this.view = view;
    }

    /** What was asked of the leader. */
    public List<AbdicationRequest> requests() {
        return requests;
    }

    @Override
    public CompletionStage<AbdicationReport> requestAbdication(AbdicationRequest request) {
        requests.add(request);
        return CompletableFuture.completedFuture(report);
    }

    @Override
    public CompletionStage<StoreView> lookUp() {
        return view != null
                ? CompletableFuture.completedFuture(view)
                : CompletableFuture.failedFuture(new StoreUnavailableException(StoreProblem.UNREACHABLE, "by hand"));
    }

    @Override
    public void addListener(LeadershipListener listener) {
        listeners.add(listener);
        if (isLeader()) {
            listener.onEvent(beginning());
        }
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        listeners.remove(listener);
    }

    private Leader me() {
        return new Leader("me", "me:80", current(), Instant.EPOCH);
    }

    private FencingToken current() {
        FencingToken held = token;
        if (held == null) {
            throw new IllegalStateException("Does not lead " + name);
        }
        return held;
    }

    private final class Work implements LeaderWork {

        private final FencingToken granted;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Work(FencingToken granted) {
            this.granted = granted;
        }

        @Override
        public Election election() {
            return HandDrivenElection.this;
        }

        @Override
        public FencingToken token() {
            return granted;
        }

        @Override
        public Optional<LeaderWork> beginPart() {
            return closed.get() || outlived || !isCurrent() ? Optional.empty() : admit();
        }

        @Override
        public boolean isCurrent() {
            return granted.equals(token);
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                running.decrementAndGet();
            }
        }
    }
}
