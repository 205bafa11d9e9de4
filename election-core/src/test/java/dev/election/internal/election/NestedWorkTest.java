package dev.election.internal.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.CurrentWork;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.Timing;
import dev.election.internal.protocol.Step;
import dev.election.record.AtomicLeaseStore;
import dev.election.testing.Thorough;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A leader that resigns admits what belongs to work that still runs under its leadership, and nothing else. */
class NestedWorkTest {

    private static final int GATE_ROUNDS = 20_000;
    private static final int ELECTION_ROUNDS = 1_000;

    private final ElectionFixture fixture = ElectionFixture.leading();
    private final ScriptedStore store = fixture.store;
    private final LocalElection election = fixture.election;
    private final LeaderWork work = election.beginWork().orElseThrow();

    @Test
    void a_part_of_running_work_is_admitted_counted_and_waited_for() {
        resign();
        LeaderWork part = within(work, election).orElseThrow();
        assertThat(part.token()).isEqualTo(new FencingToken(100));
        assertThat(part.election()).isSameAs(election);
        assertThat(election.runningWork()).isEqualTo(2);
        work.close();
        fixture.loop.settle();
        assertThat(store.releases).isEmpty();
        part.close();
        fixture.loop.settle();
        assertThat(store.releases).hasSize(1);
    }

    @Test
    void parts_have_parts() {
        resign();
        LeaderWork part = within(work, election).orElseThrow();
        work.close();
        assertThat(within(part, election)).isPresent();
    }

    @Test
    void a_thread_that_does_no_work_of_this_leadership_is_refused() {
        resign();
        assertThat(election.beginWork()).isEmpty();
        assertThat(CompletableFuture.supplyAsync(election::beginWork).join()).isEmpty();
    }

    @Test
    void work_that_was_closed_has_no_more_parts_though_other_work_runs() {
        LeaderWork other = election.beginWork().orElseThrow();
        resign();
        work.close();
        assertThat(within(work, election)).isEmpty();
        assertThat(work.beginPart()).isEmpty();
        assertThat(election.runningWork()).isOne();
        other.close();
        fixture.loop.settle();
        assertThat(store.releases).hasSize(1);
    }

    @Test
    void work_of_another_election_is_no_work_of_this_one_even_with_an_equal_token() {
        LocalElection other = ElectionFixture.leading().election;
        LeaderWork otherWork = other.beginWork().orElseThrow();
        assertThat(otherWork.token()).isEqualTo(work.token());
        resign();
        assertThat(within(otherWork, election)).isEmpty();
    }

    @Test
    void work_of_this_election_around_that_of_another_one_is_found() {
        LeaderWork other = ElectionFixture.leading().election.beginWork().orElseThrow();
        resign();
        try (LeaderWork.Scope outer = work.onThisThread()) {
            assertThat(within(other, election)).isPresent();
        }
    }

    @Test
    void the_work_of_each_election_is_found_wherever_it_is_in_the_chain_and_no_other() {
        Election inner = ElectionFixture.leading().election;
        LeaderWork innerWork = inner.beginWork().orElseThrow();
        Election unrelated = ElectionFixture.leading().election;
        assertThat(CurrentWork.get().work(election)).isEmpty();
        try (LeaderWork.Scope outer = work.onThisThread();
                LeaderWork.Scope scope = innerWork.onThisThread()) {
            assertThat(CurrentWork.get().work(election)).containsSame(work);
            assertThat(CurrentWork.get().work(inner)).containsSame(innerWork);
            assertThat(CurrentWork.get().work(unrelated)).isEmpty();
        }
    }

    @Test
    void nothing_is_admitted_after_the_deadline() {
        resign();
        fixture.loop.freeze(Duration.ofSeconds(15));
        assertThat(within(work, election)).isEmpty();
        assertThat(election.runningWork()).isOne();
    }

    @Test
    void nothing_is_admitted_when_the_drain_has_run_out() {
        election.abdicate(Abdication.toAnyone().drainingFor(Duration.ofSeconds(2)));
        fixture.pass(Duration.ofSeconds(2));
        assertThat(store.releases).hasSize(1);
        assertThat(within(work, election)).isEmpty();
    }

    @Test
    void work_of_an_earlier_leadership_is_not_admitted_under_the_next_one_that_resigns() {
        fixture.pass(Duration.ofSeconds(15));
        fixture.answerCampaign(ScriptedStore.granted(101));
        LeaderWork young = election.beginWork().orElseThrow();
        resign();
        assertThat(within(work, election)).isEmpty();
        assertThat(within(young, election)).isPresent();
    }

    @Test
    void work_taken_along_to_another_thread_is_admitted_there_and_leaves_nothing_behind() throws Exception {
        resign();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        try (LeaderWork.Scope scope = work.onThisThread()) {
            CompletableFuture<Optional<LeaderWork>> part = CompletableFuture.supplyAsync(
                    election::beginWork, CurrentWork.get().on(pool));
            assertThat(part.get(10, TimeUnit.SECONDS)).isPresent();
            assertThat(pool.submit(FencingToken::current).get(10, TimeUnit.SECONDS))
                    .isEmpty();
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void work_begun_anew_within_itself_ends_for_what_was_taken_from_there() {
        CurrentWork inner;
        try (LeaderWork.Scope scope = work.onThisThread();
                LeaderWork part = election.beginWork().orElseThrow();
                LeaderWork.Scope nested = part.onThisThread()) {
            inner = CurrentWork.get();
        }
        resign();
        assertThat(inner.beginPart(election)).isEmpty();
        assertThat(within(work, election)).isPresent();
    }

    @Thorough
    @Test
    void either_the_last_work_ends_or_a_part_joins_it_and_what_is_closed_and_idle_stays_so() throws Exception {
        WorkGate gate = new WorkGate();
        int[] admitted = {0};
        atTheSameTime(
                GATE_ROUNDS,
                () -> {
                    gate.open();
                    assertThat(gate.enter()).isTrue();
                    gate.close();
                },
                gate::exit,
                gate::join,
                (wasLast, isPart) -> {
                    assertThat(wasLast).isNotEqualTo(isPart);
                    assertThat(gate.running()).isEqualTo(isPart ? 1 : 0);
                    if (isPart) {
                        admitted[0]++;
                        assertThat(gate.exit()).isTrue();
                    }
                    assertThat(gate.isClosedAndIdle()).isTrue();
                });
        assertThat(admitted[0]).as("rounds in which the part came first").isBetween(1, GATE_ROUNDS - 1);
    }

    @Thorough
    @Test
    void no_drain_ends_beside_a_part_that_was_admitted_while_its_work_ended() throws Exception {
        int[] admitted = {0};
        AtomicReference<LeaderWork> running = new AtomicReference<>();
        AtomicReference<CompletableFuture<AbdicationOutcome>> left = new AtomicReference<>();
        AtomicLeaseStore memory = new AtomicLeaseStore(System::currentTimeMillis);
        try (ElectionEngine engine = ElectionEngine.over(memory)
                .timing(Timing.ofLease(Duration.ofSeconds(30)))
                .build()) {
            Election elected = engine.get("e");
            engine.start();
            atTheSameTime(
                    ELECTION_ROUNDS,
                    () -> {
                        assertThat(elected.awaitLeadership(Duration.ofSeconds(10)))
                                .isTrue();
                        running.set(elected.beginWork().orElseThrow());
                        left.set(elected.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMillis(1)))
                                .toCompletableFuture());
                        while (elected.runIfLeader(() -> {})) {
                            Thread.yield();
                        }
                    },
                    () -> {
                        running.get().close();
                        return true;
                    },
                    () -> {
                        Optional<LeaderWork> part = running.get().beginPart();
                        if (part.isEmpty()) {
                            return false;
                        }
                        try (LeaderWork open = part.get()) {
                            assertThat(open.isCurrent()).isTrue();
                            assertThat(left.get()).isNotDone();
                        }
                        return true;
                    },
                    (ended, isPart) -> {
                        admitted[0] += isPart ? 1 : 0;
                        assertThat(left.get().get(10, TimeUnit.SECONDS)).isEqualTo(AbdicationOutcome.RELEASED);
                        assertThat(running.get().beginPart()).isEmpty();
                        assertThat(elected.runningWork()).isZero();
                    });
        }
        assertThat(admitted[0]).as("rounds in which the part came first").isBetween(1, ELECTION_ROUNDS - 1);
    }

    /** Does both as nearly at once as two threads can, again and again. */
    private static void atTheSameTime(
            int rounds, Step before, Callable<Boolean> one, Callable<Boolean> other, Outcome after) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < rounds; round++) {
                before.run();
                AtomicInteger arrived = new AtomicInteger();
                Future<Boolean> first = thread.submit(() -> {
                    meet(arrived);
                    return one.call();
                });
                meet(arrived);
                boolean second = other.call();
                after.of(first.get(10, TimeUnit.SECONDS), second);
            }
        } finally {
            thread.shutdownNow();
        }
    }

    private static void meet(AtomicInteger arrived) {
        arrived.incrementAndGet();
        while (arrived.get() < 2) {
            Thread.yield();
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private interface Outcome {
        void of(boolean one, boolean other) throws Exception;
    }

    private void resign() {
        election.abdicate();
        fixture.loop.settle();
        assertThat(election.isLeader()).isTrue();
    }

    private static Optional<LeaderWork> within(LeaderWork work, Election election) {
        try (LeaderWork.Scope scope = work.onThisThread()) {
            return election.beginWork();
        }
    }
}
