package dev.election.testing;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.Leadership;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.Role;
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
    private long grants;

    HandDrivenElection(String name) {
        this.name = name;
    }

    /** This node leads with the next token, which is 1 at first. */
    public synchronized void lead() {
        grants++;
        token = new FencingToken(grants);
        admitting = true;
        result.countDown();
        tell(new LeadershipEvent.Acquired(name, Instant.EPOCH, me()));
    }

    /** This node still leads and admits no more work. */
    public void resign() {
        admitting = false;
        tell(new LeadershipEvent.Resigning(name, Instant.EPOCH, current(), LossReason.STOPPED));
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
        if (!admitting) {
            return Optional.empty();
        }
        admissions.incrementAndGet();
        running.incrementAndGet();
        return Optional.of(new Work(current()));
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

    @Override
    public void addListener(LeadershipListener listener) {
        listeners.add(listener);
        if (isLeader()) {
            listener.onEvent(new LeadershipEvent.Acquired(name, Instant.EPOCH, me()));
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
        public FencingToken token() {
            return granted;
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
