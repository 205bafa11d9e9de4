package dev.election.internal.election;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AssignedRole;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.Leadership;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.Timing;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.recovery.TakeOver;
import dev.election.internal.requests.EngineContext;
import dev.election.record.AtomicLeaseStore;
import dev.election.testing.Thorough;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Readers, workers and listeners hammer an election that changes hands as fast as it can. */
@Thorough
class ContentionTest {

    private static final int TERMS = 400;

    @Test
    void nobody_sees_the_token_of_one_leadership_with_the_deadline_of_another() throws Exception {
        HandDrivenLoop loop = new HandDrivenLoop();
        ScriptedStore store = new ScriptedStore();
        Timing timing = Timing.ofLease(Duration.ofSeconds(15));
        ProtocolTimings timings = ProtocolTimings.of(timing, store.traits());
        Protocol protocol = new Protocol(ElectionFixture.IDENTITY.in("e"), timings);
        LocalElection election = new LocalElection(
                timing,
                protocol,
                AssignedRole.CANDIDATE,
                new Recoveries(TakeOver.DEFAULT),
                EngineContext.over(store, loop, loop, Runnable::run));
        Map<Long, Long> sentAt = new ConcurrentHashMap<>();
        AtomicBoolean done = new AtomicBoolean();
        int readers = 3;
        AtomicIntegerArray seen = new AtomicIntegerArray(readers);
        ExecutorService threads = Executors.newFixedThreadPool(readers);
        try {
            List<Future<?>> outcomes = new ArrayList<>();
            for (int i = 0; i < readers; i++) {
                int reader = i;
                outcomes.add(threads.submit(() -> {
                    while (!done.get()) {
                        if (sawOneLeadershipWhole(election, loop, timings, sentAt)) {
                            seen.incrementAndGet(reader);
                        }
                    }
                }));
            }
            election.start(ElectionFixture.IDENTITY);
            loop.settle();
            // Each campaign goes out at the end of the term before.
            long sent = loop.nanos();
            for (long term = 1; term <= 400; term++) {
                store.renewals.clear();
                store.releases.clear();
                sentAt.put(term, sent);
                store.campaigns.remove().answer(ScriptedStore.granted(term));
                loop.settle();
                awaitMore(seen, outcomes);
                sent = timings.deadline(sent);
                loop.pass(Duration.ofNanos(sent - loop.nanos()));
            }
            done.set(true);
            for (Future<?> outcome : outcomes) {
                outcome.get(10, TimeUnit.SECONDS);
            }
        } finally {
            done.set(true);
            threads.shutdownNow();
        }
    }

    /** What the clock showed when asked, if the deadline is the one of this token; a term off with any other. */
    private static boolean sawOneLeadershipWhole(
            LocalElection election, HandDrivenLoop loop, ProtocolTimings timings, Map<Long, Long> sentAt) {
        long before = loop.nanos();
        Optional<Leadership> leadership = election.leadership();
        long after = loop.nanos();
        leadership.ifPresent(held -> {
            long deadline = timings.deadline(sentAt.get(held.token().value()));
            assertThat(deadline - held.remaining().toNanos()).isBetween(before, after);
        });
        return leadership.isPresent();
    }

    /** Lets every reader see this term before the next one comes in its way. One that has failed sees no more. */
    private static void awaitMore(AtomicIntegerArray seen, List<Future<?>> readers) {
        for (int i = 0; i < seen.length(); i++) {
            int before = seen.get(i);
            while (seen.get(i) == before && !readers.get(i).isDone()) {
                Thread.yield();
            }
        }
    }

    @Test
    void at_most_one_of_two_nodes_admits_work_and_every_listener_hears_all_in_order() throws Exception {
        AtomicLeaseStore store = new AtomicLeaseStore(System::currentTimeMillis);
        Map<FencingToken, AtomicInteger> running = new ConcurrentHashMap<>();
        Queue<String> violations = new ConcurrentLinkedQueue<>();
        AtomicInteger working = new AtomicInteger();
        AtomicBoolean done = new AtomicBoolean();
        List<OrderCheck> checks = new ArrayList<>();
        ExecutorService workers = Executors.newFixedThreadPool(6);
        try (ElectionEngine a = engine(store);
                ElectionEngine b = engine(store)) {
            for (ElectionEngine engine : List.of(a, b)) {
                LocalElection election = (LocalElection) engine.get("e");
                for (int i = 0; i < 5; i++) {
                    OrderCheck check = new OrderCheck(violations);
                    checks.add(check);
                    election.addListener(check);
                }
                for (int i = 0; i < 3; i++) {
                    workers.execute(() -> work(election, done, running, working, violations));
                }
                engine.start();
            }
            for (int term = 0; term < TERMS; term++) {
                LocalElection leader = awaitLeader(a, b);
                leader.abdicate(dev.election.Abdication.toAnyone().coolingDownFor(Duration.ofMillis(1)))
                        .toCompletableFuture()
                        .get(10, TimeUnit.SECONDS);
            }
            done.set(true);
        } finally {
            done.set(true);
            workers.shutdown();
            assertThat(workers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(violations).isEmpty();
        assertThat(working).hasValue(0);
        assertThat(running).hasSizeGreaterThan(TERMS / 4);
        int acquired = checks.stream().mapToInt(check -> check.acquired).sum();
        assertThat(acquired)
                .as("each term told to each of the five listeners of its node")
                .isGreaterThanOrEqualTo(5 * TERMS);
    }

    private static void work(
            LocalElection election,
            AtomicBoolean done,
            Map<FencingToken, AtomicInteger> running,
            AtomicInteger working,
            Queue<String> violations) {
        while (!done.get()) {
            election.beginWork().ifPresent(work -> {
                try (LeaderWork admitted = work) {
                    working.incrementAndGet();
                    running.computeIfAbsent(admitted.token(), token -> new AtomicInteger())
                            .incrementAndGet();
                    // A released term waits for its work, so no other term can have begun beside it.
                    if (!admitted.isCurrent()) {
                        violations.add("work of " + admitted.token() + " ran beside a later term");
                    }
                    working.decrementAndGet();
                }
            });
        }
    }

    private static LocalElection awaitLeader(ElectionEngine... engines) {
        while (true) {
            for (ElectionEngine engine : engines) {
                LocalElection election = (LocalElection) engine.get("e");
                if (election.isLeader()) {
                    return election;
                }
            }
            Thread.onSpinWait();
        }
    }

    private static ElectionEngine engine(AtomicLeaseStore store) {
        return ElectionEngine.over(store)
                .timing(Timing.ofLease(Duration.ofSeconds(30)))
                .build();
    }

    /** Acquired and lost in turn, with rising tokens, never two at a time. */
    private static final class OrderCheck implements LeadershipListener {

        private final Queue<String> violations;
        private final AtomicInteger inside = new AtomicInteger();
        private long token;
        private boolean leads;
        private volatile int acquired;

        private OrderCheck(Queue<String> violations) {
            this.violations = violations;
        }

        @Override
        public void onEvent(LeadershipEvent event) {
            if (inside.incrementAndGet() != 1) {
                violations.add("two events at a time");
            }
            LeadershipListener.super.onEvent(event);
            inside.decrementAndGet();
        }

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            long next = event.leader().token().value();
            if (leads || next <= token) {
                violations.add("acquired " + next + " after " + token);
            }
            leads = true;
            token = next;
            acquired++;
        }

        @Override
        public void onLost(LeadershipEvent.Lost event) {
            if (!leads || event.token().value() != token) {
                violations.add("lost " + event.token() + " after " + token);
            }
            leads = false;
        }
    }
}
