package dev.election.test;

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
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.Partition;
import dev.election.Role;
import dev.election.StoreView;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * One of the {@link TestElections}: an election of the engine that a test can set back. A method that changes something also calls the
 * listeners, on the calling thread.
 */
final class TestElection implements Election {

    private final Election election;
    private final CallingThread calls;
    private final Set<Work> running = ConcurrentHashMap.newKeySet();

    /** Completes with the first result. */
    private volatile CompletableFuture<Void> result = new CompletableFuture<>();

    /**
     * Creates the election.
     *
     * @param election the election of the engine
     * @param calls runs the listeners
     */
    TestElection(Election election, CallingThread calls) {
        this.election = election;
        this.calls = calls;
        election.addListener(new LeadershipListener() {
            @Override
            public void onElectionCompleted(LeadershipEvent.ElectionCompleted event) {
                result.complete(null);
            }
        });
    }

    /** Forgets what has happened: work that is running is no longer counted, and there was no result. */
    void forget() {
        running.removeIf(work -> {
            work.work.close();
            return true;
        });
        if (result.isDone()) {
            result = new CompletableFuture<>();
        }
    }

    @Override
    public String name() {
        return election.name();
    }

    @Override
    public boolean isLeader() {
        return election.isLeader();
    }

    @Override
    public Role role() {
        return election.role();
    }

    @Override
    public Optional<Leadership> leadership() {
        return election.leadership();
    }

    @Override
    public Optional<Leader> leader() {
        return election.leader();
    }

    @Override
    public boolean awaitResult(Duration timeout) throws InterruptedException {
        CompletableFuture<Void> first = result;
        if (leader().isPresent()) {
            return true;
        }
        try {
            first.get(Election.bounded(timeout).toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean awaitLeadership(Duration timeout) throws InterruptedException {
        return election.awaitLeadership(timeout);
    }

    @Override
    public Optional<LeaderWork> beginWork() {
        Optional<LeaderWork> begun = counted(election.beginWork());
        return begun.isPresent() ? begun : CurrentWork.get().beginPart(this);
    }

    @Override
    public int runningWork() {
        return election.runningWork();
    }

    /**
     * Waits for running work without a bound, unless the drain time is zero. There is no cooldown and no reservation: either would last until
     * the test decides.
     */
    @Override
    public CompletionStage<AbdicationOutcome> abdicate(Abdication how) {
        Duration drain = how.drain();
        CompletionStage<AbdicationOutcome> left = election.abdicate(
                new Abdication(drain != null && drain.isZero() ? drain : null, Duration.ZERO, null, Duration.ZERO));
        calls.callAll();
        return left;
    }

    @Override
    public CompletionStage<Void> setRole(AssignedRole role) {
        CompletionStage<Void> changed = election.setRole(role);
        calls.callAll();
        return changed;
    }

    /**
     * Abdicates if this node leads, and otherwise reports that it does not: other nodes are only names here, so no message is sent. Does not
     * wait for a successor, which the test decides.
     */
    @Override
    public CompletionStage<AbdicationReport> requestAbdication(AbdicationRequest request) {
        Optional<Leader> before = leader();
        return abdicate(request.how())
                .thenApply(outcome ->
                        new AbdicationReport(outcome, "Decided by the test", before, leader(), Duration.ZERO));
    }

    @Override
    public CompletionStage<StoreView> lookUp() {
        CompletionStage<StoreView> view = election.lookUp();
        calls.callSoon();
        return view;
    }

    @Override
    public LeaderState state() {
        LeaderState state = election.state();
        return new LeaderState() {
            @Override
            public CompletionStage<Optional<Saved>> read() {
                CompletionStage<Optional<Saved>> read = state.read();
                calls.callSoon();
                return read;
            }

            @Override
            public CompletionStage<WriteOutcome> write(String text) {
                CompletionStage<WriteOutcome> written = state.write(text);
                calls.callSoon();
                return written;
            }
        };
    }

    @Override
    public void addListener(LeadershipListener listener) {
        election.addListener(listener);
        calls.callAll();
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        election.removeListener(listener);
    }

    @Override
    public String toString() {
        return "TestElection[" + name() + ", " + role() + "]";
    }

    private Optional<LeaderWork> counted(Optional<LeaderWork> begun) {
        // Refused work was counted for a moment, in which other work may have ended: then its events are still queued.
        calls.callSoon();
        return begun.map(work -> {
            Work counted = new Work(work);
            running.add(counted);
            return counted;
        });
    }

    /** Work of the engine that belongs to this election. */
    private final class Work implements LeaderWork {

        private final LeaderWork work;

        private Work(LeaderWork work) {
            this.work = work;
        }

        @Override
        public Election election() {
            return TestElection.this;
        }

        @Override
        public FencingToken token() {
            return work.token();
        }

        @Override
        public Optional<Partition> partition() {
            return work.partition();
        }

        @Override
        public boolean isCurrent() {
            return work.isCurrent();
        }

        @Override
        public Optional<LeaderWork> beginPart() {
            return counted(work.beginPart());
        }

        @Override
        public void close() {
            running.remove(this);
            work.close();
            calls.callSoon();
        }
    }
}
